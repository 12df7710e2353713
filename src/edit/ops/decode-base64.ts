/** The bytes of strict base64: the plain alphabet, padding, no white space, no stray bits; undefined for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text)
    if (btoa(binary) !== text) return undefined
    return Uint8Array.from(binary, character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
