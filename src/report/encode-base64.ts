const stride = 0x6000

/** Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  // A multiple of three bytes at a time, so that the parts join without padding between them.
  for (let at = 0; at < bytes.length; at += stride) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + stride))))
  }
  return parts.join('')
}
