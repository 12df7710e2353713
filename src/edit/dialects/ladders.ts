import type { MatchLevel } from '../../core/receipt.js'

/**
 * How each dialect may find a text, strictest first: its own meaning of "stands there". Native ops
 * have the levels of the repository. Blocks of markdown and search_replace_blocks, and the hunks of
 * apply_patch and unified_diff, are whole lines. `trailing_whitespace` of patches takes outer blank
 * lines for nothing, too.
 */
export const ladders = {
  search_replace: [
    'exact',
    'line_trimmed',
    'whitespace_normalised',
    'indentation_flexible',
    'block_anchor',
  ],
  patches: ['exact', 'trailing_whitespace'],
  opencode: ['exact'],
  markdown: ['exact'],
  search_replace_blocks: ['exact'],
  apply_patch: ['exact', 'trailing_whitespace', 'line_trimmed', 'unicode_normalised'],
  unified_diff: ['exact'],
} as const satisfies Readonly<Record<string, readonly MatchLevel[]>>
