import { beforeAll, describe, expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { type BatchInput, parseBatch } from '#src/edit/batch.js'
import { dialectNames } from '#src/edit/dialects/registry.js'
import { anchorOf } from '../support/anchor-of.js'
import { expectClean, openGateway, refusal, type TestWorktree } from '../support/gateway.js'
import { seededRandom } from '../support/random.js'
import { makeRepository } from '../support/repository.js'
import { changedBytes } from './dialects/said.js'
import { find, oddCase, open } from './odd-cases.js'
import { type OddFile, oddEdit, oddFile } from './odd-files.js'
import { revOf } from './sandbox.js'
import { type LineEdit, sayings } from './say-edit.js'

const path = 'src/f.ts'

/** Every way to say an edit of lines, by the name of its dialect or op. */
function sayAll(file: OddFile, edit: ReturnType<typeof oddEdit>, after: string): Sayings {
  const { start, wanted, young, above, below } = edit
  const rev = revOf([...file.bytes])
  const said = { ...edit, path, rev }
  const end = start + wanted.length
  const anchors = [start + 1, end].map(line => anchorOf(file.bytes, line, 'chunk'))
  // A patch of a file that mixes endings says them.
  const broken = (lines: readonly string[], from: number): readonly string[] =>
    lines.map((line, index) => (file.endings[from + index] === '\r\n' ? `${line}\r` : line))
  const youngBroken = after
    .split('\n')
    .slice(start, start + young.length)
    .map((line, index) => (line.endsWith('\r') ? `${young[index]}\r` : (young[index] ?? '')))
  const carriages = {
    wanted: broken(wanted, start),
    young: youngBroken,
    above: broken(above, start - above.length),
    below: broken(below, end),
  }
  return {
    replace_lines: numbered(edit),
    ...Object.fromEntries(Object.entries(sayings).map(([name, say]) => [name, say(said)])),
    ...(file.isMixed && { unified_diff: sayings.unified_diff({ ...said, ...carriages }) }),
    hashline: {
      dialect: 'hashline',
      edits: [
        {
          path,
          op: 'replace',
          anchor: anchors[0],
          end_anchor: anchors[1],
          content: closed(young),
        },
      ],
    },
    ...(file.isUtf8 && {
      whole_file: { dialect: 'whole_file', edits: { path, content: file.mark + after } },
    }),
  }
}

/** The lines by their numbers. */
function numbered({
  start,
  wanted,
  young,
}: Pick<LineEdit, 'start' | 'wanted' | 'young'>): BatchInput {
  const lines = { start_line: start + 1, end_line: start + wanted.length }
  return { edits: [{ op: 'replace_lines', path, ...lines, text: closed(young) }] }
}

/** Whole lines, an empty one at the end included. */
function closed(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}

type Sayings = Readonly<Record<string, BatchInput>>

const rounds = 250

test('the same edit said in every dialect leaves the same bytes, and those around it as they were', async () => {
  const random = seededRandom(20_261_130)
  const counts: Record<string, number> = {}
  const count = (name: string): number => (counts[name] = (counts[name] ?? 0) + 1)
  for (let round = 0; round < rounds; round += 1) {
    const file = oddFile(random)
    const edit = oddEdit(random, file)
    const files = { [path]: [...file.bytes] }
    const wanted = await changedBytes(files, numbered(edit))
    count(file.encoding)
    count(file.isMixed ? 'mixed endings' : JSON.stringify(file.endings[0]))
    const head = Buffer.concat(file.lines.slice(0, edit.start))
    const tail = Buffer.concat(file.lines.slice(edit.start + edit.wanted.length))
    const all = sayAll(file, edit, file.decode(wanted))
    for (const [name, batch] of Object.entries(all)) {
      const after = await changedBytes(files, batch, { anchors: 'chunk' })
      const place = `round ${round}, ${name}, ${file.encoding}`
      const kept = after.subarray(0, head.length).equals(head)
      expect(kept && after.subarray(after.length - tail.length).equals(tail), place).toBe(true)
      const middle = after.subarray(head.length, after.length - tail.length)
      const texts = file.decode(middle).split(/\r\n|\r|\n/)
      if (tail.length > 0 || file.endings.at(-1) !== '') expect(texts.pop(), place).toBe('')
      expect(texts, place).toEqual(edit.young)
      expect(after.toString('hex'), place).toBe(wanted.toString('hex'))
      count(name)
    }
  }
  console.log(`${rounds} edits of odd files, each said in every dialect`, counts)
  const unheard = dialectNames.filter(name => (counts[name] ?? 0) < rounds / 5)
  expect(unheard).toEqual([])
}, 120_000)

describe('what locate answers', () => {
  const asked = 1_500

  test('is the same for the same question, and wherever else something unrelated is put in', () => {
    const random = seededRandom(1_234)
    const counts = { found: 0, refused: 0, moved: 0 }
    for (let round = 0; round < asked; round += 1) {
      const question = oddCase(random)
      const text = open(question.bytes)
      const answer = find(text, question)
      expect(find(open(question.bytes), question)).toEqual(answer)
      const [place] = answer?.places ?? []
      if (answer === undefined || place === undefined) {
        counts.refused += 1
        continue
      }
      counts.found += 1
      const count = question.lines.length
      const at = random.int(1, count)
      const first = text.table.text.slice(0, place.from).split('\n').length - 1
      const last = text.table.text.slice(0, place.to).split('\n').length - 1
      // Beside the place it would be a neighbour, which is no unrelated text.
      if (count < 2 || (at >= first && at <= last + 1)) continue
      const added = addedLine(question.lines[0] ?? new Uint8Array())
      const bytes = Buffer.concat(question.lines.toSpliced(at, 0, added))
      const moved = find(open(bytes), question)
      const by = at < first ? 'unrelated, 123\n'.length : 0
      expect(moved?.level).toBe(answer.level)
      expect(moved?.places).toEqual(
        answer.places.map(({ from, to, lines }) => ({
          from: from + by,
          to: to + by,
          ...(lines && { lines: lines.map(line => line && line + (by > 0 ? 1 : 0)) }),
        })),
      )
      counts.moved += 1
    }
    console.log(`${asked} questions, asked twice`, counts)
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(asked / 20)
  })
})

/** A line that no file here has, in the encoding of the file. */
function addedLine(first: Uint8Array): Uint8Array {
  const isWide = first[0] === 0xff && first[1] === 0xfe
  return Buffer.from('unrelated, 123\n', isWide ? 'utf16le' : 'utf8')
}

describe('a batch that is refused', () => {
  let agent: TestWorktree
  beforeAll(async () => {
    const repository = await makeRepository({ [path]: 'one\r\ntwo\nthree', 'other.ts': 'x\n' })
    agent = await (await openGateway(repository)).open('refused', { view: 'hashline' })
  })

  async function standing(): Promise<unknown> {
    return {
      head: await agent.git('rev-parse', 'HEAD'),
      index: await agent.git('ls-files', '--stage'),
      status: await agent.git('status', '--porcelain'),
      files: await agent.git('hash-object', path, 'other.ts', '--no-filters'),
      refs: await agent.git('for-each-ref'),
    }
  }

  const good = { path: 'other.ts', start: 0, wanted: ['x'], young: ['y'] }
  const bad = { path, start: 0, wanted: ['one', 'never', 'three'], young: ['new'] }

  test.each(dialectNames)('leaves all as it was, said in %s', async name => {
    const before = await standing()
    const batch = refusedBatch(name)
    const told = await refusal(
      agent.worktree.apply(
        parseBatch(
          { ...batch, expected_head: await agent.git('rev-parse', 'HEAD') },
          defaultLimits,
          {
            anchors: 'chunk',
          },
        ),
      ),
    )
    expect(told.code).toMatch(/^(ZERO_MATCHES|ANCHOR_STALE|PATH_EXISTS)$/)
    expect(await standing()).toEqual(before)
    await expectClean(agent)
  })

  /** An edit that is right, and one that is not. */
  function refusedBatch(name: (typeof dialectNames)[number]): BatchInput {
    if (name === 'whole_file') {
      return {
        dialect: name,
        edits: [
          { path: 'other.ts', content: 'y\n' },
          { path, expected_rev: 'new', content: 'z' },
        ],
      }
    }
    if (name === 'hashline') {
      const right = { path: 'other.ts', op: 'write', content: 'y\n' }
      return { dialect: name, edits: [right, { path, op: 'delete', anchor: '2:abc:def' }] }
    }
    const [first, second] = [good, bad].map(edit =>
      sayings[name]({ ...edit, rev: revs[edit.path] ?? '' }),
    )
    return joined(first, second)
  }

  const revs: Readonly<Record<string, string>> = {
    'other.ts': revOf('x\n'),
    [path]: revOf('one\r\ntwo\nthree'),
  }
})

/** Two batches of one dialect as one. */
function joined(first: BatchInput = {}, second: BatchInput = {}): BatchInput {
  if (first.patch === undefined) {
    return { ...first, edits: [first.edits, second.edits].flat() }
  }
  const inner = '*** End Patch\n*** Begin Patch\n'
  return { ...first, patch: `${first.patch}${second.patch}`.replace(inner, '') }
}
