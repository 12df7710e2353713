import { expect, test } from 'vitest'
import { decodeText, encodeText, hasUtf16Mark } from '#src/formats/text/decode.js'
import { type Random, seededRandom } from '../../support/random.js'

const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)]
const utf16 = (text: string): number[] => [...encodeText(text, 'utf-16le')]
const utf16be = (text: string): number[] => [...encodeText(text, 'utf-16be')]

test.each([
  ['nothing', [], 'utf-8', ''],
  ['ASCII', utf8('a\n'), 'utf-8', 'a\n'],
  ['UTF-8', utf8('ä€😀\n'), 'utf-8', 'ä€😀\n'],
  ['a mark', [0xef, 0xbb, 0xbf, 0x61], 'utf-8-bom', 'a'],
  ['a second mark, which is text', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], 'utf-8-bom', '\ufeff'],
  ['UTF-16LE', [0xff, 0xfe, ...utf16('aä😀\r\n')], 'utf-16le', 'aä😀\r\n'],
  ['UTF-16BE', [0xfe, 0xff, ...utf16be('aä😀\r\n')], 'utf-16be', 'aä😀\r\n'],
  ['Latin-1', [0x61, 0xe4, 0x62], 'utf-8', 'a\udce4b'],
  ['a cut sequence', [0xe2, 0x82], 'utf-8', '\udce2\udc82'],
  ['an overlong slash', [0xc0, 0xaf, 0x61], 'utf-8', '\udcc0\udcafa'],
  ['an encoded surrogate', [0xed, 0xa0, 0x80], 'utf-8', '\udced\udca0\udc80'],
  ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 'utf-8', '\udcf4\udc90\udc80\udc80'],
  ['good around bad', [...utf8('😀'), 0xff, ...utf8('é')], 'utf-8', '😀\udcffé'],
])('%s is decoded without loss', (_, bytes, encoding, text) => {
  const decoded = decodeText(Uint8Array.from(bytes))
  expect(decoded && { encoding: decoded.encoding, text: decoded.text }).toEqual({ encoding, text })
})

test.each([
  ['NUL', [0x61, 0, 0x62]],
  ['NUL after a UTF-8 mark', [0xef, 0xbb, 0xbf, 0]],
  ['UTF-16 without a mark', utf16('ab')],
  ['UTF-16 of odd length', [0xff, 0xfe, 0x61, 0, 0x62]],
  ['UTF-16 with a lone surrogate', [0xff, 0xfe, 0x00, 0xd8, 0x61, 0]],
  ['UTF-16 with NUL', [0xff, 0xfe, 0, 0, 0x61, 0]],
])('%s is no text', (_, bytes) => {
  expect(decodeText(Uint8Array.from(bytes))).toBeUndefined()
})

test.each([
  [[0xff, 0xfe, 0x61], true],
  [[0xfe, 0xff], true],
  [[0x61, 0], false],
])('a UTF-16 mark is seen in %j: %s', (bytes, marked) => {
  expect(hasUtf16Mark(Uint8Array.from(bytes))).toBe(marked)
})

test('every character of random bytes comes back from its place', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 300; round += 1) {
    const bytes = randomBytes(random, random.int(1, round === 0 ? 5_000 : 80))
    const decoded = decodeText(bytes)
    const rebuilt = decoded && rebuild(decoded.text, decoded.byteOffset, bytes)
    expect(rebuilt).toEqual([...bytes.subarray(decoded?.byteOffset(0))])
  }
})

test('places are right far into a long text', () => {
  const decoded = decodeText(new TextEncoder().encode('aé€😀'.repeat(2_000)))
  const places = [9_995, 9_996, 9_997, 9_998, 10_000].map(offset => decoded?.byteOffset(offset))
  expect(places).toEqual([19_990, 19_991, 19_993, 19_996, 20_000])
})

/** Bytes of each code point at the place the map gives; a stray byte is itself. */
function rebuild(text: string, byteOffset: (at: number) => number, bytes: Uint8Array): number[] {
  const out: number[] = []
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    const stray = code >= 0xdc80 && code <= 0xdcff
    const encoded = stray ? [code - 0xdc00] : utf8(String.fromCodePoint(code))
    expect([...bytes.subarray(byteOffset(at), byteOffset(at) + encoded.length)]).toEqual(encoded)
    out.push(...encoded)
    at += code > 0xffff ? 2 : 1
  }
  return out
}

function randomBytes(random: Random, length: number): Uint8Array {
  const parts = Array.from({ length }, () =>
    random.int(0, 3) === 0 ? [random.int(1, 256)] : utf8(random.text(1)),
  )
  const bytes = Uint8Array.from(parts.flat())
  return hasUtf16Mark(bytes) ? Uint8Array.from([0x61, ...bytes]) : bytes
}
