// A thread that parses scripts with Babel and does nothing else.
import { workerData } from 'node:worker_threads'
import { parse } from '@babel/parser'

/** @type {readonly import('./symbols-sources.mjs').Source[]} */
const sources = workerData

for (const { path, text } of sources) {
  /** @type {import('@babel/parser').ParserPlugin[]} */
  const plugins = /tsx$/.test(path)
    ? ['typescript', 'jsx', 'decorators-legacy']
    : /ts$/.test(path)
      ? ['typescript', 'decorators-legacy']
      : ['jsx', 'flow', 'decorators-legacy']
  try {
    parse(text, { sourceType: 'unambiguous', errorRecovery: true, attachComment: false, plugins })
  } catch {
    // A broken file is one for us too.
  }
}
