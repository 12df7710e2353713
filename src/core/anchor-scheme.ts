/**
 * What the anchor of a line proves beside that line: `content` nothing, `chunk` the fixed block of
 * lines that holds it, `checkpoint` all lines from the last checkpoint down to it.
 */
export const anchorSchemes = ['content', 'chunk', 'checkpoint'] as const

export type AnchorScheme = (typeof anchorSchemes)[number]
