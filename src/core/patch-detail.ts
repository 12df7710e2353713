/** How much is told of what changed: only the lines, or a patch with so many lines of context; `u3` is git's whole patch. */
export const patchDetails = ['ranges', 'u0', 'u1', 'u3'] as const

export type PatchDetail = (typeof patchDetails)[number]
