/** What the peer does where there is no right and wrong, what we do, and why. */
interface Decision {
  readonly policy: string
  /** `as the peer`, `refused`, or the text that stands there afterwards as JSON. */
  readonly ours: string
  readonly why: string
}

/** One row for each choice of that peer which its cases show. */
export const hashlineDecisions: readonly Decision[] = [
  {
    policy: 'text copied after the arrow is ignored',
    ours: 'as the peer',
    why: 'The anchor is whole; what stands behind it is what the view shows there.',
  },
  {
    policy: 'line number missing: accepted when the hash is unique in the file',
    ours: 'refused',
    why: 'An anchor that was cut short is a sign that more was; and 3 letters are too few to search a whole file by.',
  },
  {
    policy: 'DEFECT-LIKE: ordinary code refused as a pasted anchor',
    ours: JSON.stringify(
      'fn main() {\n    self::next->run();\n    let y = 2;\n    println!("{x} {y}");\n}\n',
    ),
    why: 'Two short words and `->` are code; without a line number only the arrow of the view makes an anchor.',
  },
  {
    policy: 'shifted anchor is suggested, not applied',
    ours: 'as the peer',
    why: 'What has moved is told with its new anchor; only the caller knows whether it is what was meant.',
  },
  {
    policy:
      'white-space-only change is invisible to the hash: the edit is APPLIED to a re-indented line',
    ours: 'as the peer',
    why: 'The hash cannot see it, but the revision that every edit names does: it is refused unless the edit names the new one.',
  },
  {
    policy: 'content-only: applied; chunk/checkpoint: refused as stale',
    ours: 'as the peer',
    why: 'That is what the schemes are for.',
  },
  {
    policy: 'chunk refuses (same block), checkpoint and content apply',
    ours: 'as the peer',
    why: 'That is what the schemes are for.',
  },
  {
    policy: 'DEFECT-LIKE: leading blank line',
    ours: JSON.stringify('line3\n'),
    why: 'An empty file has no line that the new one could come after.',
  },
  {
    policy: 'DEFECT-LIKE: blank line added and final newline lost',
    ours: JSON.stringify('line1\nline2\nline3\nx\n'),
    why: 'Behind the final newline stands no line; that anchor, which our view never shows, is the end of the file.',
  },
  {
    policy: 'one trailing newline of the content is ignored',
    ours: 'as the peer',
    why: 'It belongs to the last line, as in every line op.',
  },
  {
    policy: 'DEFECT-LIKE: the whole file loses CRLF',
    ours: JSON.stringify('one\r\nTWO\r\nthree\r\n'),
    why: 'A line that is put in takes the ending of the one it replaces, and no other line changes.',
  },
  {
    policy: 'content-only ignores a context part',
    ours: 'refused',
    why: 'The anchor comes from another view.',
  },
]

/** Binding cases of the peer that come out otherwise, and why. */
export const hashlineExceptions: readonly { readonly id: string; readonly why: string }[] = [
  {
    id: '0273-hash-only-ambiguous-checkpoint',
    why: 'The anchor lacks its line number. The peer takes it where the hash is unique, which is its choice elsewhere and not ours; under the other schemes the same case is to be refused.',
  },
]
