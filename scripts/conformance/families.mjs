import { applyPatch, patchReadings } from './apply-patch.mjs'
import { blocks, markerChecks } from './blocks.mjs'
import { hashline } from './hashline.mjs'
import { lineOps } from './line-ops.mjs'
import { otherFormats } from './other-formats.mjs'
import { opencode, patches, searchReplace, wholeFile } from './search-replace.mjs'
import { diffReadings, unifiedDiff } from './unified-diff.mjs'

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
  lineOps,
  applyPatch,
  patchReadings,
  unifiedDiff,
  diffReadings,
  hashline,
  otherFormats,
]
