// Every dialect that a history can be replayed in.
import { applyPatch } from './apply-patch.mjs'
import { hashline } from './hashline.mjs'
import { markdown } from './markdown.mjs'
import { searchReplace } from './search-replace.mjs'
import { unifiedDiff } from './unified-diff.mjs'

export const dialects = [searchReplace, hashline, applyPatch, markdown, unifiedDiff]
