import { expect, test } from 'vitest'
import { binaryKind } from '#src/report/file-kind.js'

test.each([
  ['logo.png', '89504e470d0a1a0a', 'image'],
  ['photo', 'ffd8ffe0', 'image'],
  ['photo.webp', '524946460000000057454250', 'image'],
  ['sound.wav', '524946460000000057415645', 'media'],
  ['film.mp4', '000000206674797069736f6d', 'media'],
  ['paper.pdf', '255044462d', 'pdf'],
  ['a.zip', '504b0304', 'archive'],
  ['a.docx', '504b0304', 'office'],
  ['old.doc', 'd0cf11e0a1b11ae1', 'office'],
  ['a.tar.gz', '1f8b08', 'archive'],
  ['run', '7f454c46', 'program'],
  ['a.wasm', '0061736d01', 'program'],
  ['a.woff2', '774f4632', 'font'],
  ['a.db', '53514c69746520666f726d6174203300', 'database'],
  ['a.docx', '0001', 'binary'],
  ['empty', '', 'binary'],
])('%s that begins with %s', (path, hex, kind) =>
  expect(binaryKind(path, Buffer.from(hex, 'hex'))).toBe(kind),
)
