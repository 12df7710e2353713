import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../scripts/power-cut.mjs', import.meta.url))

/** Cuts the power of a disk in the middle of work, again and again; answers what was printed and the exit code. */
export async function cutPower(rounds: number): Promise<{ code: unknown; printed: string }> {
  const child = spawn(process.execPath, [script, '--rounds', String(rounds)])
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', some => chunks.push(some))
  const [code] = await once(child, 'close')
  return { code, printed: Buffer.concat(chunks).toString('utf8') }
}
