// The benchmark's side of an engine: starts its process, asks it and ends it.
import { fork } from 'node:child_process'

/**
 * @typedef {object} EngineProcess
 * @property {string} name
 * @property {string} path Its worktree.
 * @property {(number: number) => Promise<number>} batch Milliseconds of a batch.
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} name
 * @param {{ readonly script: URL, readonly args: readonly string[], readonly node: readonly string[] }} program
 * @param {import('./serve-engine.mjs').Setting} setting
 * @returns {Promise<EngineProcess>}
 */
export async function startEngine(name, { script, args, node }, setting) {
  const child = fork(script, args, { execArgv: [...node], serialization: 'advanced' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const ask = (/** @type {any} */ message) =>
    new Promise((resolve, reject) => {
      const leave = () => reject(new Error(`the engine ${name} ended`))
      child.once('exit', leave)
      child.once('message', answer => {
        child.off('exit', leave)
        resolve(answer)
      })
      child.send(message)
    })
  return {
    name,
    path: String(await ask(setting)),
    batch: async number => Number(await ask(number)),
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
