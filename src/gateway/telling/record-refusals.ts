import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { Batch } from '../../core/batch.js'
import { Refusal } from '../../core/errors.js'
import type { Op } from '../../edit/ops/registry.js'

/** Bytes at which a file of refusals is full; what comes later is not recorded. */
const fileBytes = 64 * 1024 * 1024

/** Characters of a searched text that are kept. */
const findChars = 16_384

/** Takes down an edit that was refused. */
export type RefusalRecorder = (worktree: string, batch: Batch<Op>, refusal: Refusal) => void

/**
 * Appends each refused edit as a line of JSON: when, worktree, path, op, the text that was looked
 * for, the revision that was named, and the code. The file is made for its owner alone; refused
 * with `INVALID_ARGUMENTS` where it cannot be opened as a regular file. Whether a line could be
 * written changes nothing for the agent.
 */
export function openRefusalRecorder(path: string): RefusalRecorder {
  closeSync(openToAppend(path))
  return (worktree, batch, refusal) => {
    const time = new Date().toISOString()
    const lines = failuresOf(refusal).map(failure =>
      JSON.stringify({ time, worktree, ...describe(failure, batch) }),
    )
    append(path, `${lines.join('\n')}\n`)
  }
}

function openToAppend(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants
  const flags = O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY
  try {
    const file = openSync(path, flags, 0o600)
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch {
    // Told below, as one thing.
  }
  throw new Refusal('INVALID_ARGUMENTS', {
    problem: 'the file to record refusals in cannot be opened as a regular file',
  })
}

function append(path: string, text: string): void {
  try {
    const file = openToAppend(path)
    try {
      if (fstatSync(file).size < fileBytes) writeSync(file, text)
    } finally {
      closeSync(file)
    }
  } catch {
    // A full disk or a file that is gone must not turn a refusal into a failure.
  }
}

interface Failure {
  readonly code?: unknown
  readonly index?: unknown
  readonly path?: unknown
}

function failuresOf({ code, data }: Refusal): readonly Failure[] {
  const { failures } = data
  return Array.isArray(failures) ? (failures as readonly Failure[]) : [{ code, ...data }]
}

function describe({ code, index, path }: Failure, batch: Batch<Op>): Record<string, unknown> {
  const op = typeof index === 'number' ? batch.ops[index] : undefined
  if (op === undefined) return { path, code }
  const rev = batch.ops.find(one => one.path === op.path && one.expected_rev)?.expected_rev
  const find = soughtText(op)
  return {
    path: op.path,
    op: op.op,
    ...(find !== undefined && { find: find.slice(0, findChars) }),
    rev: rev ?? batch.expectedHead ?? null,
    code,
  }
}

function soughtText(op: Op): string | undefined {
  if ('find' in op) return op.find
  if ('contains' in op) return op.contains
  return 'expect_prefix' in op ? op.expect_prefix : undefined
}
