import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { Source } from '../../core/parsers.js'
import { parseScript } from '../../formats/code/babel.js'
import type { Engines } from '../../formats/code/language.js'
import { packOutline } from '../../formats/code/pack-outline.js'
import { outlineByLines, readOutline } from '../../formats/code/read-outline.js'
import { openGrammars } from '../../formats/code/tree-sitter.js'
import type { Batch, Progress, Tier } from './protocol.js'

/** Milliseconds of answers that are sent together: one message a file would wake the other side too often. */
const gatherMs = 50

const progress: Progress = workerData

const grammars = openGrammars({
  runtime: () =>
    readFileSync(fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm'))),
  grammar: name =>
    gunzipSync(
      readFileSync(new URL(`../../formats/code/grammars/${name}.wasm.gz`, import.meta.url)),
    ),
})

const engines: Engines = { ...grammars, parseScript }

/** The entry of the thread that parses. It answers each batch in its order; who waits counts the answers. */
parentPort?.on('message', readBatch)

async function readBatch({ tier, sources }: Batch): Promise<void> {
  let gathered: string[] = []
  let sentAt = performance.now()
  const send = (): void => {
    if (gathered.length > 0) parentPort?.postMessage(gathered)
    gathered = []
    sentAt = performance.now()
  }
  for (const source of sources) {
    Atomics.add(progress, 0, 1)
    gathered.push(await outlineOf(source, tier))
    if (performance.now() - sentAt >= gatherMs) send()
  }
  send()
}

async function outlineOf(source: Source, tier: Tier): Promise<string> {
  const outline =
    tier === 'parser' ? await readOutline(source, engines) : outlineByLines(source, 'too_complex')
  return packOutline(outline)
}
