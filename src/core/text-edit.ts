/** One replaced stretch, in bytes of the original file, half-open; `insert` is what stands there afterwards. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: Uint8Array
}

/** Writes the edits into the original. They must be sorted and must not overlap. */
export function applyTextEdits(original: Uint8Array, edits: readonly TextEdit[]): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  for (const edit of edits) {
    if (edit.from < at || edit.to < edit.from || edit.to > original.length) {
      throw new RangeError('text edits must be sorted, disjoint and inside the file')
    }
    parts.push(original.subarray(at, edit.from), edit.insert)
    at = edit.to
  }
  parts.push(original.subarray(at))
  return concatBytes(parts)
}

/** One array of all the parts in order. */
function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** True where both hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
