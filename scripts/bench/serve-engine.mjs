// The engine's side of the benchmark: a process that is asked for one batch at a time.

/**
 * @typedef {object} Setting
 * @property {string} clone The repository, bare.
 * @property {string} folder Where worktrees and state go.
 * @property {string} base
 * @property {readonly (readonly [path: string, text: string])[]} texts The files that are changed, as they are at first.
 */

/**
 * @typedef {object} Engine
 * @property {string} path Its worktree.
 * @property {(number: number) => Promise<() => Promise<void>>} prepare Answers the work that is timed.
 * @property {() => Promise<void>} stop
 */

/**
 * Opens an engine for the first message, a Setting, and answers its worktree; then for each number the milliseconds
 * of that batch. Ends when the other side goes.
 * @param {(setting: Setting) => Promise<Engine>} open
 */
export async function serveEngine(open) {
  const setting = await nextMessage()
  const engine = await open(setting)
  process.send?.(engine.path)
  for (let number = await nextMessage(); number !== undefined; number = await nextMessage()) {
    const work = await engine.prepare(number)
    const started = performance.now()
    await work()
    process.send?.(performance.now() - started)
  }
  await engine.stop()
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
