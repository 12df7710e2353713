import type { Oid } from '../../core/oid.js'

/** Tree ids by directory ('' is the root), before and after a commit, for every directory it touched. */
export interface TouchedTrees {
  readonly old: ReadonlyMap<string, Oid>
  readonly new: ReadonlyMap<string, Oid>
}

/**
 * Moves the cache tree (the `TREE` extension, gitformat-index(5)) from the old head to the new one, in
 * place, for the directories whose entries have changed. A node says "the entries below are exactly
 * this tree", so only a node that named the old head's tree may name the new one; with any other
 * (something is staged there) git would believe that the staged change is not there. False: the
 * extension must be dropped. Invalid nodes promise nothing and stay.
 */
export function patchCacheTree(
  payload: Buffer,
  changed: ReadonlySet<string>,
  trees: TouchedTrees,
  hashBytes: number,
): boolean {
  const left = new Map([...changed].map(directory => [toBinary(directory), directory]))
  const all = new Set(left.keys())
  for (const node of readNodes(payload, hashBytes, directory => all.has(directory))) {
    if (node === undefined) return false
    const directory = node.directory === undefined ? undefined : left.get(node.directory)
    if (node.directory === undefined || directory === undefined) continue
    left.delete(node.directory)
    if (node.oidAt === undefined) continue
    const next = trees.new.get(directory)
    const stands = payload.toString('hex', node.oidAt, node.oidAt + hashBytes)
    if (next === undefined || stands !== trees.old.get(directory)) return false
    payload.write(next, node.oidAt, 'hex')
    if (left.size === 0) return true
  }
  return left.size === 0
}

interface Node {
  /** One character a byte, because names need not be UTF-8; undefined where the directory above has not changed. */
  readonly directory: string | undefined
  /** Undefined for an invalid node, which has no id. */
  readonly oidAt: number | undefined
}

interface OpenNode {
  /** Undefined where nothing below has changed, so that no name is put together there. */
  readonly prefix: string | undefined
  left: number
}

// Nodes stand depth first; each says how many children follow. An unreadable one is undefined.
function* readNodes(
  payload: Buffer,
  hashBytes: number,
  isChanged: (directory: string) => boolean,
): Generator<Node | undefined> {
  const open: OpenNode[] = []
  let at = 0
  while (at < payload.length) {
    const nul = payload.indexOf(0, at)
    const space = payload.indexOf(0x20, nul)
    const newline = payload.indexOf(0x0a, space)
    const children = readDigits(payload, space + 1, newline)
    if (nul < 0 || space < 0 || newline < 0 || children === undefined) return yield undefined
    const isValid = payload[nul + 1] !== minus
    const above = open.length === 0 ? '' : open.at(-1)?.prefix
    const directory = above === undefined ? undefined : above + payload.toString('latin1', at, nul)
    yield { directory, oidAt: isValid ? newline + 1 : undefined }
    at = newline + 1 + (isValid ? hashBytes : 0)
    const leadsOn = directory !== undefined && isChanged(directory)
    const prefix = directory === '' ? '' : `${directory}/`
    open.push({ prefix: leadsOn ? prefix : undefined, left: children })
    closeNodes(open)
  }
}

const minus = 0x2d

function readDigits(payload: Buffer, from: number, to: number): number | undefined {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = (payload[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return from < to ? value : undefined
}

// Drops what has no child to come, and counts the child that comes next.
function closeNodes(open: OpenNode[]): void {
  while (open.at(-1)?.left === 0) open.pop()
  const parent = open.at(-1)
  if (parent !== undefined) parent.left -= 1
}

function toBinary(directory: string): string {
  return Buffer.from(directory).toString('latin1')
}
