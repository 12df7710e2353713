import type { MatchLevel } from '../../core/receipt.js'

/**
 * How each dialect may find a text, strictest first: its own meaning of "stands there". Blocks of
 * markdown and search_replace_blocks are whole lines, exactly as they are.
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
} as const satisfies Readonly<Record<string, readonly MatchLevel[]>>
