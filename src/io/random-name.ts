import { randomFillSync } from 'node:crypto'

/** To ask the system for many bytes costs as much as to ask for eight. */
const pool = Buffer.alloc(4_096)
let left = 0

/** An even number of random hexadecimal digits, for a name that nobody else gives. */
export function randomHex(digits: number): string {
  const bytes = digits / 2
  if (left < bytes) left = randomFillSync(pool).length
  left -= bytes
  return pool.toString('hex', left, left + bytes)
}
