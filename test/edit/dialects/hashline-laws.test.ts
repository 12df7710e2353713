import { expect, test } from 'vitest'
import { type AnchorScheme, anchorSchemes } from '#src/core/anchor-scheme.js'
import { Refusal } from '#src/core/errors.js'
import { openText } from '#src/formats/text/text-file.js'
import { anchorOf } from '../../support/anchor-of.js'
import { type Random, seededRandom } from '../../support/random.js'
import { run } from '../sandbox.js'
import { editHashline, type HashlineEdit } from './hashline-sandbox.js'

const rounds = 400

type Encode = (text: string) => Uint8Array

const encodings: Readonly<Record<string, Encode>> = {
  'utf-8': text => new TextEncoder().encode(text),
  'utf-8 with a mark': text => new TextEncoder().encode(`\ufeff${text}`),
  'utf-16le': text => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'with a stray byte at the end': text =>
    new Uint8Array([...new TextEncoder().encode(text), 0x23, 0xff]),
}
const endings = ['\n', '\r\n', '\r', 'mixed']

/** Lines of which some repeat, in one of the endings and encodings. */
function someFile(random: Random): Uint8Array {
  const ending = random.pick(endings)
  const lines = Array.from({ length: random.int(2, 40) }, () =>
    random.pick([
      '',
      '}',
      '  return',
      `x${random.int(0, 9)}`,
      random.text(8).replace(/[\r\n]/g, ''),
    ]),
  )
  const endOf = (): string => (ending === 'mixed' ? random.pick(['\n', '\r\n']) : ending)
  const text = lines.map(line => line + endOf()).join('') + random.pick(['', 'last'])
  return random.pick(Object.values(encodings))(text)
}

interface Said {
  readonly anchored: HashlineEdit
  readonly native: Readonly<Record<string, unknown>> & { readonly path: string }
  /** Lines that are replaced, from the first to the one behind the last. */
  readonly from: number
  readonly to: number
}

/** One edit, by anchors and by line numbers. */
function someEdit(random: Random, bytes: Uint8Array, scheme: AnchorScheme): Said {
  const count = openText(bytes)?.lines.count ?? 0
  // The last line of some files holds a byte that cannot be replaced as text.
  const start = random.int(1, count)
  const end = random.int(start, Math.min(start + 3, count))
  const text = random.pick(['new', 'one\ntwo\n', 'x\n\n'])
  const anchor = anchorOf(bytes, start, scheme)
  const path = 'f'
  const native = { path, start_line: start, end_line: end }
  const end_anchor = anchorOf(bytes, end, scheme)
  return random.pick<Said>([
    {
      anchored: { path, op: 'replace', anchor, end_anchor, content: text },
      native: { ...native, op: 'replace_lines', text },
      from: start,
      to: end + 1,
    },
    {
      anchored: { path, op: 'delete', anchor, end_anchor },
      native: { ...native, op: 'delete_lines' },
      from: start,
      to: end + 1,
    },
    {
      anchored: { path, op: 'insert_after', anchor, content: text },
      native: { path, op: 'insert_lines', line: start + 1, text },
      from: start + 1,
      to: start + 1,
    },
    {
      anchored: { path, op: 'insert_before', anchor, content: text },
      native: { path, op: 'insert_lines', line: start, text },
      from: start,
      to: start,
    },
  ])
}

test('an edit by anchors leaves all other bytes alone and equals the one by line numbers', async () => {
  const random = seededRandom(41)
  let changed = 0
  for (let round = 0; round < rounds; round += 1) {
    const bytes = someFile(random)
    const scheme = random.pick(anchorSchemes)
    const { anchored, native, from, to } = someEdit(random, bytes, scheme)
    const done = await editHashline(bytes, anchored, scheme)
    const { changes } = await run({ f: [...bytes] }, [native])
    expect(hex(done), `round ${round}`).toBe(hex(changes[0]?.after?.bytes ?? bytes))
    const file = openText(bytes)
    const [head, tail] = [from, to].map(line => file?.byteOffset(file.lines.startOf(line)) ?? 0)
    const rest = bytes.length - (tail ?? 0)
    expect(hex(done.subarray(0, head)), `round ${round}`).toBe(hex(bytes.subarray(0, head)))
    expect(hex(done.subarray(done.length - rest)), `round ${round}`).toBe(hex(bytes.subarray(tail)))
    if (Buffer.compare(done, bytes) !== 0) changed += 1
  }
  console.log(`edits by anchors: ${changed} of ${rounds} changed something, all as by line numbers`)
  expect(changed).toBeGreaterThan(rounds * 0.9)
})

test('an anchor of an older text edits the same line or nothing', async () => {
  const random = seededRandom(43)
  const counts = { landed: 0, refused: 0, shifted: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const scheme = random.pick(anchorSchemes)
    const read = Array.from({ length: random.int(5, 60) }, (_, at) =>
      random.pick([`line ${at}`, '}', `x${random.int(0, 5)}`]),
    )
    const at = random.int(0, read.length)
    const now = read.toSpliced(random.int(0, read.length), random.int(0, 4), ...someLines(random))
    const anchor = anchorOf(encodeLines(read), at + 1, scheme)
    const edit = { path: 'f', op: 'replace', anchor, content: 'EDITED' }
    const done = await editOrRefusal(encodeLines(now), edit, scheme)
    if (done instanceof Refusal) {
      counts.refused += 1
      const to = String(done.data.shifted_to ?? '')
      // What is told is a line of the same text.
      if (to !== '') expect(now[Number.parseInt(to, 10) - 1], `round ${round}`).toBe(read[at])
      if (to !== '') counts.shifted += 1
    } else {
      counts.landed += 1
      expect(now[at], `round ${round}`).toBe(read[at])
      expect(hex(done), `round ${round}`).toBe(hex(encodeLines(now.with(at, 'EDITED'))))
    }
  }
  console.log(`anchors of older texts, ${rounds}: ${JSON.stringify(counts)}`)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(rounds / 10)
})

function someLines(random: Random): readonly string[] {
  return Array.from({ length: random.int(0, 9) }, () => `new ${random.int(0, 1_000)}`)
}

function encodeLines(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map(line => `${line}\n`).join(''))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

async function editOrRefusal(
  bytes: Uint8Array,
  edit: HashlineEdit,
  scheme: AnchorScheme,
): Promise<Uint8Array | Refusal> {
  try {
    return await editHashline(bytes, edit, scheme)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
