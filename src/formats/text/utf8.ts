const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Lone surrogates from here to U+DCFF stand for bytes that are not UTF-8. */
const strayByte = 0xdc00

/** Decodes UTF-8 so that every byte can be found again: a stray one becomes a lone surrogate. */
export function decodeUtf8Lossless(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeStray(bytes)
  }
}

/** Characters between two remembered places. */
const stride = 1024

/** Where the character at an offset begins in the bytes of such a text. One number per 1,024 characters is kept. */
export function utf8Offsets(text: string): (offset: number) => number {
  let places: Float64Array | undefined
  return offset => {
    places ??= measure(text)
    const start = Math.floor(offset / stride)
    return (places[start] ?? 0) + byteLength(text, start * stride, offset)
  }
}

function measure(text: string): Float64Array {
  const places = new Float64Array(Math.floor(text.length / stride) + 1)
  for (let place = 1; place < places.length; place += 1) {
    const start = (place - 1) * stride
    places[place] = (places[place - 1] ?? 0) + byteLength(text, start, start + stride)
  }
  return places
}

/** Bytes of a stretch; a surrogate pair counts at its first half. */
function byteLength(text: string, from: number, to: number): number {
  let length = 0
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) length += 1
    else if (unit < 0x800) length += 2
    else if (isHighSurrogate(unit)) length += 4
    else if (!isLowSurrogate(unit)) length += 3
    else if (!isHighSurrogate(text.charCodeAt(at - 1))) length += 1
  }
  return length
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}

/** Decodes by hand, because a TextDecoder cannot say where it met a stray byte. */
function decodeStray(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let length = 0
  let at = 0
  while (at < bytes.length) {
    const first = bytes[at] ?? 0
    const size = sequenceLength(bytes, at)
    if (size === 0) {
      units[length++] = strayByte + first
    } else {
      const code = codePoint(bytes, at, size)
      if (code >= 0x10000) units[length++] = 0xd800 + ((code - 0x10000) >> 10)
      units[length++] = code >= 0x10000 ? 0xdc00 + (code & 0x3ff) : code
    }
    at += Math.max(size, 1)
  }
  return fromUnits(units.subarray(0, length))
}

/** Bytes of the well-formed sequence at a place (Unicode table 3-7); 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const second = bytes[at + 1] ?? 0
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  const rest = bytes.subarray(at + 2, at + size)
  return rest.length === size - 2 && rest.every(byte => (byte & 0xc0) === 0x80) ? size : 0
}

function codePoint(bytes: Uint8Array, at: number, size: number): number {
  const first = bytes[at] ?? 0
  if (size === 1) return first
  let code = first & (0x7f >> size)
  for (let next = at + 1; next < at + size; next += 1) {
    code = (code << 6) | ((bytes[next] ?? 0) & 0x3f)
  }
  return code
}

function fromUnits(units: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < units.length; at += 8_192) {
    parts.push(String.fromCharCode(...units.subarray(at, at + 8_192)))
  }
  return parts.join('')
}
