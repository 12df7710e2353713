/**
 * @typedef {Map<string, Uint8Array>} Files by path
 *
 * @typedef {import('../../dist/edit/ops/registry.js').Op} Op
 *
 * @typedef {object} Outcome what may come of a case: a refusal, the files that are left, or what is read of a text
 * @property {true} [refused]
 * @property {string} [code] the only code that this refusal may have
 * @property {Files} [after]
 * @property {unknown} [reading] what `readOps` makes of the ops; undefined where any will do
 *
 * @typedef {object} Case one edit of the corpora
 * @property {string} id
 * @property {string} peer whose test it is; "failures" for what users reported
 * @property {string} dialect as the corpora call it
 * @property {Files} before
 * @property {'100644' | '100755'} mode of every file
 * @property {ReadonlySet<string>} links paths that are symbolic links
 * @property {any} edit
 * @property {string | undefined} patch
 * @property {any} expect
 * @property {string | undefined} policy why implementations may differ
 * @property {readonly Outcome[]} outcomes those that the corpus takes for right
 *
 * @typedef {object} Request one or more batches, as a caller would send them
 * @property {readonly object[]} batches
 * @property {Files} [before] files to start from, where the case has none
 * @property {readonly Outcome[]} [outcomes] where the case does not say them itself
 * @property {boolean} [isStale] each batch names the revisions of the beginning
 * @property {import('../../dist/core/anchor-scheme.js').AnchorScheme} [anchors] how the files were read
 * @property {(ops: readonly Op[]) => unknown} [readOps] where the reading alone is told, how it is told
 *
 * @typedef {object} Family cases that are turned into requests in the same way
 * @property {string} name
 * @property {(one: Case) => boolean} takes
 * @property {(one: Case) => Request | string} request or why the case is not an edit
 *
 * @typedef {object} Decision
 * @property {string} dialect
 * @property {string} id
 * @property {'as_peer' | 'refuse' | 'either' | 'ours' | 'not_an_edit'} decision either: done or refused
 * @property {Record<string, string>} [after] what is left where it is done, if that is not what the peer leaves
 * @property {string} why
 *
 * @typedef {object} Scored
 * @property {Case} one
 * @property {string} family
 * @property {Decision | undefined} decision
 * @property {'pass' | 'declined' | 'refused' | 'DAMAGE' | 'not an edit'} verdict declined: refused where the peer goes
 *   on and we may do either; refused: it should have been done
 * @property {string} note
 */
export {}
