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
  for (const node of readNodes(payload, hashBytes)) {
    if (node === undefined) return false
    const directory = left.get(node.directory)
    if (directory === undefined) continue
    left.delete(node.directory)
    if (node.oidAt === undefined) continue
    const next = trees.new.get(directory)
    const stands = payload.toString('hex', node.oidAt, node.oidAt + hashBytes)
    if (next === undefined || stands !== trees.old.get(directory)) return false
    payload.write(next, node.oidAt, 'hex')
  }
  return left.size === 0
}

interface Node {
  /** One character a byte, because names need not be UTF-8. */
  readonly directory: string
  /** Undefined for an invalid node, which has no id. */
  readonly oidAt: number | undefined
}

interface OpenNode {
  readonly prefix: string
  left: number
}

// Nodes stand depth first; each says how many children follow. An unreadable one is undefined.
function* readNodes(payload: Buffer, hashBytes: number): Generator<Node | undefined> {
  const open: OpenNode[] = []
  let at = 0
  while (at < payload.length) {
    const nul = payload.indexOf(0, at)
    const newline = payload.indexOf(0x0a, nul)
    const counts = /^(-?\d+) (\d+)$/.exec(payload.toString('latin1', nul + 1, newline))
    if (nul < 0 || newline < 0 || counts === null) return yield undefined
    const isValid = !counts[1]?.startsWith('-')
    const directory = (open.at(-1)?.prefix ?? '') + payload.toString('latin1', at, nul)
    yield { directory, oidAt: isValid ? newline + 1 : undefined }
    at = newline + 1 + (isValid ? hashBytes : 0)
    open.push({ prefix: directory === '' ? '' : `${directory}/`, left: Number(counts[2]) })
    closeNodes(open)
  }
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
