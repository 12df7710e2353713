import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** 200 ops on a file of 4 MiB: every text on the way together would be 800 MiB. */
const program = `
import { createHash } from 'node:crypto'
import { defaultLimits } from '#src/core/limits.js'
import { memoryTree } from '#src/core/tree.js'
import { parseBatch } from '#src/edit/batch.js'
import { resolve } from '#src/edit/resolve.js'

const bytes = Buffer.from('0123456789abcde\\n'.repeat(262_144))
const oid = createHash('sha1').update(\`blob \${bytes.length}\\0\`).update(bytes).digest('hex')
const edits = Array.from({ length: 200 }, (_, index) => ({
  op: 'replace_lines', path: 'a', expected_rev: oid, start_line: index + 1, end_line: index + 1, text: 'b',
}))
const tree = memoryTree(new Map([['a', { oid, mode: '100644', bytes }]]))
const options = { limits: defaultLimits, allowProtected: [] }
const { ops } = await resolve(parseBatch({ edits }, defaultLimits), tree, options)
console.log(ops.length)
`

test('a batch of many ops on a large file needs the memory of one', () => {
  const args = ['--max-old-space-size=256', '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, stderr: stderr.slice(0, 500) }).toEqual({ stdout: '200\n', stderr: '' })
})
