// The engine's side of the benchmark: a process that is asked for one batch at a time.

/**
 * @typedef {object} Setting
 * @property {string} clone The repository, bare.
 * @property {string} folder Where worktrees and state go.
 * @property {string} base
 * @property {readonly (readonly [path: string, text: string])[]} texts The files that are changed, as they are at first.
 */

/**
 * @typedef {object} BatchRequest
 * @property {number} number From 1, each once.
 * @property {number} files How many of them it changes.
 */

/**
 * @typedef {object} Engine
 * @property {string} path Its worktree; empty where it has none.
 * @property {(batch: BatchRequest) => Promise<() => Promise<unknown>>} prepare Answers the work that is timed.
 * @property {() => Promise<void>} stop
 */

/**
 * Opens an engine for the first message, a Setting, and answers its worktree; then for each batch its milliseconds, and
 * for 'memory' the most kilobytes that the process ever had resident. Ends when the other side goes.
 * @param {(setting: Setting) => Promise<Engine>} open
 */
export async function serveEngine(open) {
  const setting = await nextMessage()
  const engine = await open(setting)
  process.send?.(engine.path)
  for (let asked = await nextMessage(); asked !== undefined; asked = await nextMessage()) {
    process.send?.(asked === 'memory' ? process.resourceUsage().maxRSS : await time(engine, asked))
  }
  await engine.stop()
}

/**
 * @param {Engine} engine
 * @param {BatchRequest} batch
 */
async function time(engine, batch) {
  const work = await engine.prepare(batch)
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** @returns {Promise<any>} */
function nextMessage() {
  return new Promise(resolve => {
    const take = (/** @type {any} */ message) => {
      process.off('disconnect', end)
      resolve(message)
    }
    const end = () => {
      process.off('message', take)
      resolve(undefined)
    }
    process.once('message', take)
    process.once('disconnect', end)
  })
}
