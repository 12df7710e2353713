/** A patch that is rendered only if it has a chance to fit. */
export interface PendingPatch {
  /** No rendering is shorter than this. */
  readonly leastBytes: number
  readonly render: () => string
}

export type FittedPatch = { readonly patch: string } | { readonly patch_truncated: true }

/** Whole patches, in order, as long as they fit together; a large one does not keep a later small one out. */
export function fitPatches(
  patches: readonly PendingPatch[],
  limitBytes: number,
): readonly FittedPatch[] {
  let left = limitBytes
  return patches.map(({ leastBytes, render }) => {
    if (leastBytes > left) return { patch_truncated: true }
    const patch = render()
    const bytes = utf8Bytes(patch)
    if (bytes > left) return { patch_truncated: true }
    left -= bytes
    return { patch }
  })
}

/** How long a text is in UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
