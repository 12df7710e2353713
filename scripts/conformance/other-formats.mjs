/** Formats of one product alone, and functions of a peer that are no edits; why none of them is run. */
const reasons = new Map([
  ['omp_hashline', 'a format of one product alone'],
  ['praison_patch', 'a format of one product alone'],
  ['v4a_invocation', 'a shell command in which a product looks for a patch'],
  ['seek_sequence', 'a search function alone'],
])

/** @type {import('./types.mjs').Family} Counted, so that every case of the corpora stands in the table. */
export const otherFormats = {
  name: 'other formats',
  takes: ({ dialect }) => reasons.has(dialect),
  request: ({ dialect }) => reasons.get(dialect) ?? '',
}
