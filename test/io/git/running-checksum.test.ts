import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { RunningChecksum } from '#src/io/git/running-checksum.js'
import { seededRandom } from '../../support/random.js'

const step = 256 * 1024

test.each(['sha1', 'sha256'] as const)(
  'is the %s of bytes that change behind a place, grow and shrink',
  format => {
    const random = seededRandom(20_261_130)
    const checksum = new RunningChecksum(format)
    let bytes = Buffer.alloc(3 * step, 'x')
    let from = 0
    for (let round = 0; round < 100; round += 1) {
      const expected = createHash(format).update(bytes).digest('hex')
      expect([round, checksum.of(bytes, from).toString('hex')]).toEqual([round, expected])
      // Also on the very borders of a step, and behind the last byte.
      from = random.pick([random.int(0, bytes.length), step, 2 * step, step - 1, bytes.length])
      const rest = Buffer.alloc(random.int(0, 2 * step), random.int(0, 256))
      bytes = Buffer.concat([bytes.subarray(0, from), rest])
    }
  },
)
