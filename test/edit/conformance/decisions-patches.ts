/** A case of the peers that is decided otherwise here, and why. */
export interface Decision {
  readonly id: string
  /** `otherwise`: done, with another result than the peer's. */
  readonly decision: 'refused' | 'otherwise'
  readonly why: string
}

/** Reasons that hold for several cases. */
const reasons: readonly (Omit<Decision, 'id'> & { readonly ids: readonly string[] })[] = [
  {
    decision: 'refused',
    why: 'Nothing is created or moved over a file that stands there; it must be deleted or updated.',
    ids: [
      'codex/cases/0010-scenario-010-move-overwrites-existing-destination',
      'codex/cases/0011-scenario-011-add-overwrites-existing-file',
      'codex/cases/0042-move-overwrites-destination',
      'codex/cases/0043-add-overwrites-existing',
      'codex/cases/0058-add-over-unreadable-destination',
      'codex/cases/0059-move-over-unreadable-destination',
      'opencode/cases/0043-move-overwrite',
      'opencode/cases/0044-add-overwrite',
    ],
  },
  {
    decision: 'refused',
    why: 'New lines that name no place are not put at the end of the file: users report that as damage. An @@ line, context or *** End of File says where.',
    ids: [
      'codex/cases/0016-scenario-016-pure-addition-update-chunk',
      'codex/cases/0030-append-after-trailing-blank-crlf-line',
      'codex/cases/0056-pure-addition-then-removal',
      'roo/cases/0047-should-handle-pure-addition-empty-oldlines',
    ],
  },
  {
    decision: 'refused',
    why: 'A lone CR breaks a line only in a file without LF, as everywhere in this product; such a line is sent whole.',
    ids: [
      'codex/cases/0025-scenario-024-preserves-mixed-line-endings',
      'codex/cases/0034-untouched-mixed-endings-preserved',
    ],
  },
  {
    decision: 'otherwise',
    why: 'Whether a file ends with a newline stays as it is; an edit that does not speak of it does not change it.',
    ids: [
      'codex/cases/0035-crlf-used-for-new-trailing-newline',
      'codex/cases/0046-final-newline-appended',
      'opencode/cases/0041-trailing-newline-forced',
      'opencode/cases/0068-patch-multi-ops',
      'opencode/cases/0070-patch-no-trailing-newline',
      'roo/cases/0050-should-preserve-trailing-newline-in-result',
    ],
  },
  {
    decision: 'otherwise',
    why: 'A created file ends with a newline: each + line is a whole line, as most readers of the format have it.',
    ids: [
      'cline/cases/0015-accepts-the-legacy-shell-wrapper-around-the-patch',
      'cline/cases/0017-accepts-an-end-sentinel-with-trailing-whitespace',
      'openhands/cases/0001-create',
      'openhands/cases/0007-add-update-delete',
    ],
  },
  {
    decision: 'otherwise',
    why: 'New lines are indented as the place is where the hunk was found without regard to indentation.',
    ids: ['opencode/cases/0065-leading-and-trailing-white-space'],
  },
  {
    decision: 'refused',
    why: 'This line belongs to another product.',
    ids: ['codex/parse/0014-environment-id-preamble'],
  },
  {
    decision: 'refused',
    why: 'A patch that does nothing is refused, as three other binding cases ask; this one only tells that it can be read.',
    ids: ['roo/parse/0066-should-parse-empty-patch'],
  },
  {
    decision: 'refused',
    why: 'Without its end a patch may be cut off; five other binding cases ask for the refusal.',
    ids: ['copilot/cases/0123-v4a-tolerates-missing-patch-end'],
  },
  {
    decision: 'refused',
    why: 'Without *** Begin Patch and *** End Patch nothing shows that the patch is whole.',
    ids: [
      'cline/cases/0014-applies-the-documented-freeform-patch-format-without-shell-wrappers',
      'cline/cases/0016-does-not-strip-valid-patch-lines-that-begin-with-wrapper-tokens-after',
    ],
  },
  {
    decision: 'refused',
    why: 'There is no similarity level in this dialect: near is not the same.',
    ids: ['copilot/cases/0122-v4a-tolerates-edit-distance-above-threshold'],
  },
  {
    decision: 'refused',
    why: 'Below a change a line without a prefix may have lost any of the three.',
    ids: ['copilot/cases/0124-v4a-tolerates-missing-hunk-line-addition'],
  },
  {
    decision: 'refused',
    why: 'Escapes are not turned into what they may mean: in another file the same two characters are meant. The refusal says what to send.',
    ids: [
      'copilot/cases/0126-v4a-matches-explicit-t-tab-chars',
      'copilot/cases/0128-v4a-matches-explicit-n-and-t-tab-chars',
      'copilot/cases/0129-v4a-always-normalizes-explicit-t-tab-chars-in-replacement',
    ],
  },
  {
    decision: 'refused',
    why: 'A file without a hunk is what a patch looks like that was cut off; git apply and GNU patch refuse it too.',
    ids: ['jsdiff/cases/0014-should-apply-patches'],
  },
  {
    decision: 'refused',
    why: 'No fuzz: a line of context that differs is a line of context that differs.',
    ids: [
      'jsdiff/cases/0031-should-given-a-fuzz-factor-allow-mismatches-caused-by-presence-of-extr',
      'jsdiff/cases/0032-should-given-a-fuzz-factor-allow-mismatches-due-to-missing-lines',
      'jsdiff/cases/0033-should-given-a-fuzz-factor-allow-mismatches-caused-by-lines-being-chan',
      'jsdiff/cases/0034-should-given-a-fuzz-factor-allow-mismatches-caused-by-a-mixture-of-ins',
      'jsdiff/cases/0065-ignores-being-asked-to-remove-a-non-existent-trailing-newline-if-fuzzf',
      'jsdiff/cases/0066-ignores-being-asked-to-add-an-eof-newline-when-one-already-exists-if-f',
      'jsdiff/cases/0069-0',
    ],
  },
  {
    decision: 'refused',
    why: 'The case passes a comparison function of its own, which a request cannot.',
    ids: ['jsdiff/cases/0050-should-allow-custom-line-comparison'],
  },
  {
    decision: 'otherwise',
    why: 'The case switches the conversion of endings off, which a request cannot; with it on, the peer does what is done here (0057).',
    ids: [
      'jsdiff/cases/0062-should-leave-patch-file-endings-alone-if-autoconvertlineendings-false',
    ],
  },
  {
    decision: 'otherwise',
    why: 'The case is about a fuzz factor that is no number; there is none here, and the patch itself is right.',
    ids: [
      'jsdiff/cases/0071-rejects-negative-or-non-integer-fuzz-factors',
      'jsdiff/cases/0072-rejects-negative-or-non-integer-fuzz-factors',
    ],
  },
  {
    decision: 'refused',
    why: 'At the end of a patch fewer lines than its @@ line promises may be a patch that was cut off.',
    ids: ['openhands/cases/0030-udiff-with-bare-blank-context-and-short-indentation'],
  },
]

/** Every case of the peers' V4A patches and unified diffs whose result here is not the one its source expects. */
export const decisions: readonly Decision[] = reasons.flatMap(({ ids, ...reason }) =>
  ids.map(id => ({ id, ...reason })),
)
