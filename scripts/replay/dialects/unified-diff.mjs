// Says a commit as what git itself prints of it.
import { decodeUtf8 } from '../read-commit.mjs'

const marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** @type {import('./said-file.mjs').Dialect} */
export const unifiedDiff = {
  name: 'unified_diff',
  view: 'plain',
  moves: true,
  modes: true,
  say: ({ before, after, section }) => {
    const sides = [before ?? [], after ?? []].flat()
    if (sides.some(bytes => marks.some(mark => startsWith(bytes, mark)))) return 'utf16'
    const marked = sides.map(bytes => startsWith(bytes, byteOrderMark))
    if (before && after && marked[0] !== marked[1]) return 'byte_order_mark'
    const bytes = section?.()
    if (bytes === undefined) return 'no_section'
    if (bytes.includes(0) || /^Binary files .* differ$/m.test(bytes.toString('latin1'))) {
      return 'binary'
    }
    const text = decodeUtf8(bytes)
    if (text === undefined) return 'undecodable'
    return { parts: [text], ops: Math.max(1, text.match(/^@@ /gm)?.length ?? 0) }
  },
  join: (files, { head, turn }) => {
    const parts = files.flatMap(({ said }) => said.parts)
    // Shortened ids vouch for nothing, as in what people paste; moves and modes alone have none.
    const isPasted = turn % 2 === 0
    const patch = isPasted ? parts.map(part => String(part).replace(ids, 'index $1..$2')) : parts
    const isVouchedFor = !isPasted && parts.every(part => /^index /m.test(String(part)))
    return {
      dialect: 'unified_diff',
      patch: patch.join(''),
      ...(!isVouchedFor && { expected_head: head }),
    }
  },
}

const ids = /^index ([0-9a-f]{7})[0-9a-f]*\.\.([0-9a-f]{7})[0-9a-f]*/gm

/**
 * @param {Buffer} bytes
 * @param {Buffer} mark
 */
function startsWith(bytes, mark) {
  return bytes.subarray(0, mark.length).equals(mark)
}
