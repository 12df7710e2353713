// The benchmark's side of an engine: starts its process, asks it and ends it.
import { fork } from 'node:child_process'
import { gitEnvironment } from '../replay/git.mjs'

/** @typedef {import('./serve-engine.mjs').BatchRequest} BatchRequest */

/**
 * @typedef {object} EngineKind
 * @property {string} name
 * @property {string} title
 * @property {URL} script
 * @property {readonly string[]} [args]
 * @property {number} warmUp Batches that are not counted.
 */

/**
 * @typedef {object} EngineProcess
 * @property {EngineKind} kind
 * @property {string} path Its worktree.
 * @property {(batch: BatchRequest) => Promise<number>} batch Milliseconds of a batch.
 * @property {() => Promise<number>} megabytes The most that it ever had resident.
 * @property {() => Promise<void>} stop
 */

/**
 * Their warm-up differs: a gateway lives long and its code is compiled while it works, each git is a new process.
 * @type {readonly EngineKind[]}
 */
export const engineKinds = [
  {
    name: 'git',
    title: 'git add + git commit',
    script: new URL('./git-engine.mjs', import.meta.url),
    warmUp: 5,
  },
  {
    name: 'simple-git',
    title: 'simple-git',
    script: new URL('./simple-git-engine.mjs', import.meta.url),
    warmUp: 3,
  },
  {
    name: 'isomorphic-git',
    title: 'isomorphic-git',
    script: new URL('./isomorphic-git-engine.mjs', import.meta.url),
    warmUp: 3,
  },
  {
    name: 'process',
    title: 'batch, process',
    script: new URL('./gateway-engine.mjs', import.meta.url),
    args: ['process'],
    warmUp: 200,
  },
  {
    name: 'checked',
    title: 'batch, process, syntax',
    script: new URL('./gateway-engine.mjs', import.meta.url),
    args: ['checked'],
    warmUp: 200,
  },
  {
    name: 'http',
    title: 'batch, process, HTTP',
    script: new URL('./http-engine.mjs', import.meta.url),
    warmUp: 200,
  },
  {
    name: 'power',
    title: 'batch, power',
    script: new URL('./gateway-engine.mjs', import.meta.url),
    args: ['power'],
    warmUp: 200,
  },
  {
    name: 'floor',
    title: 'floor of power',
    script: new URL('./floor-engine.mjs', import.meta.url),
    warmUp: 20,
  },
]

/**
 * @param {EngineKind} kind
 * @param {readonly string[]} node Options of its Node.
 * @param {import('./serve-engine.mjs').Setting} setting
 * @returns {Promise<EngineProcess>}
 */
export async function startEngine(kind, node, setting) {
  const child = fork(kind.script, kind.args ?? [], {
    execArgv: [...node],
    env: gitEnvironment,
    serialization: 'advanced',
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const ask = (/** @type {any} */ message) =>
    new Promise((resolve, reject) => {
      const leave = () => reject(new Error(`the engine ${kind.name} ended`))
      child.once('exit', leave)
      child.once('message', answer => {
        child.off('exit', leave)
        resolve(answer)
      })
      child.send(message)
    })
  return {
    kind,
    path: String(await ask(setting)),
    batch: async batch => Number(await ask(batch)),
    megabytes: async () => Number(await ask('memory')) / 1024,
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
