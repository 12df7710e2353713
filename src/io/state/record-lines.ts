import type { FileHandle } from 'node:fs/promises'

/** Bytes that are looked through before others have a turn: a millisecond or two. */
const chunkBytes = 1024 * 1024

/** A line that is longer is no record; what comes before its end is let go. */
const longestLine = 16 * 1024 * 1024

const newline = 10
const tab = 9
const longestKey = 200

/**
 * Tells each whole line of a part of a file with its offset. Answers where the last one ends: a line that is still
 * being written is there at the next look.
 */
export async function eachLine(
  file: FileHandle,
  [from, to]: readonly [from: number, to: number],
  tell: (line: Buffer, at: number) => void,
): Promise<number> {
  let rest: Buffer = Buffer.alloc(0)
  let begin = from
  for (let at = from; at < to; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), {
      length: Math.min(chunkBytes, to - at),
      position: at,
    })
    if (bytesRead === 0) break
    at += bytesRead
    const read = buffer.subarray(0, bytesRead)
    const block = rest.length === 0 ? read : Buffer.concat([rest, read])
    const end = tellLines(block, begin, tell)
    rest = block.subarray(end)
    begin += end
    if (rest.length > longestLine) {
      begin += rest.length
      rest = Buffer.alloc(0)
    }
  }
  return begin
}

function tellLines(block: Buffer, begin: number, tell: (line: Buffer, at: number) => void): number {
  let start = 0
  for (let end = block.indexOf(newline); end >= 0; end = block.indexOf(newline, start)) {
    if (end > start) tell(block.subarray(start, end), begin + start)
    start = end + 1
  }
  return start
}

/** The key of a record; undefined for a line that is none. */
export function keyOfLine(line: Buffer): string | undefined {
  const end = line.indexOf(tab)
  return end > 0 && end <= longestKey ? line.toString('utf8', 0, end) : undefined
}
