// Who looks for a text in a file in the benchmark of matching; another dialect or peer is one more entry.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defaultLimits } from '../../dist/core/limits.js'
import { memoryTree } from '../../dist/core/tree.js'
import { parseBatch } from '../../dist/edit/batch.js'
import { resolve } from '../../dist/edit/resolve.js'

/** @typedef {import('./match-cases.mjs').MatchCase} MatchCase */

/**
 * `run` answers what became of one edit; `told` says what its time holds.
 * @typedef {{ name: string, told: string, run(file: Uint8Array, one: MatchCase): Promise<string> }} Contender
 */

/** @type {Contender} */
const ours = {
  name: 'editlatch',
  told: 'a whole batch in memory, replace_text or apply_patch (V4A): reading the request, decoding, matching, fitting, report',
  run: async (bytes, { path, edit, patch }) => {
    const oid = /** @type {import('../../dist/core/oid.js').Oid} */ ('0'.repeat(40))
    const at = /** @type {import('../../dist/core/repo-path.js').RepoPath} */ (path)
    const tree = memoryTree(new Map([[at, { oid, mode: '100644', bytes }]]))
    const limits = defaultLimits
    const batch = parseBatch(
      patch === undefined
        ? { edits: [{ op: 'replace_text', path, expected_rev: oid, ...edit }] }
        : { dialect: 'apply_patch', patch, expected_head: oid },
      limits,
    )
    try {
      const { ops } = await resolve(batch, tree, { limits, allowProtected: [], expectedTree: tree })
      return ops[0]?.level ?? 'done'
    } catch (error) {
      return /** @type {{ code: string }} */ (error).code
    }
  },
}

/**
 * Ours, and those peers that could be installed into a folder.
 * @param {string} folder
 * @returns {Promise<readonly Contender[]>}
 */
export async function contendersIn(folder) {
  const peers = await Promise.all([filesystemServer(folder), jsdiff()])
  return [ours, ...peers.filter(peer => peer !== undefined)]
}

/**
 * The reference MCP server for files: exact, then lines trimmed; reads the file and makes a diff.
 * @param {string} folder
 * @returns {Promise<Contender | undefined>}
 */
async function filesystemServer(folder) {
  const name = '@modelcontextprotocol/server-filesystem'
  try {
    const lib = join(folder, 'node_modules', name, 'dist/lib.js')
    const { applyFileEdits } = await import(pathToFileURL(lib).href)
    const { version } = createRequire(lib)('../package.json')
    const file = join(folder, 'file.js')
    /** @type {Uint8Array} */
    let written = new Uint8Array()
    return {
      name: `mcp filesystem ${version}`,
      told: 'applyFileEdits, dry: reads the file, matches exactly, else lines trimmed; a diff',
      run: async (bytes, { edit }) => {
        if (bytes !== written) writeFileSync(file, bytes)
        written = bytes
        try {
          await applyFileEdits(file, [{ oldText: edit.find, newText: edit.replace }], true)
          return 'done'
        } catch {
          return 'refused'
        }
      },
    }
  } catch {
    return undefined
  }
}

/**
 * A patch of one hunk that says line 1, so that its place is searched for.
 * @returns {Promise<Contender>}
 */
async function jsdiff() {
  const { applyPatch } = await import('diff')
  const { version } = createRequire(import.meta.url)('diff/package.json')
  return {
    name: `jsdiff ${version}`,
    told: 'applyPatch of one hunk that is searched for, no fuzz; decoding',
    run: async (bytes, { edit }) => {
      const old = edit.find.split('\n')
      const young = edit.replace.split('\n')
      const lines = [...old.map(line => `-${line}`), ...young.map(line => `+${line}`)]
      const head = `--- a\n+++ a\n@@ -1,${old.length} +1,${young.length} @@\n`
      const after = applyPatch(Buffer.from(bytes).toString(), `${head}${lines.join('\n')}\n`)
      return after === false ? 'refused' : 'done'
    },
  }
}
