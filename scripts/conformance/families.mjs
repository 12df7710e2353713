import { blocks, markerChecks } from './blocks.mjs'
import { hashline } from './hashline.mjs'
import { lineOps } from './line-ops.mjs'
import { opencode, patches, searchReplace, wholeFile } from './search-replace.mjs'

/**
 * Every family of cases. A new one is one file and one line here.
 * @type {readonly import('./types.mjs').Family[]}
 */
export const families = [
  searchReplace,
  opencode,
  patches,
  wholeFile,
  blocks,
  markerChecks,
  hashline,
  lineOps,
]
