// What an image says about itself, and what is in it and what is not.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { check } from '../steps.mjs'
import { buildOnly } from './engine.mjs'

const grammars = 'formats/code/grammars'

/**
 * @param {import('./trials.mjs').Image} image
 */
export function inspectImage({ engine, container, config }) {
  check(config.User === 'node', 'the user is another', config.User)
  check(config.Healthcheck?.Test[0] === 'CMD', 'there is no health check', config.Healthcheck)
  check(config.StopSignal === 'SIGTERM', 'it is stopped otherwise', config.StopSignal)
  check('/data' in config.Volumes, '/data is no volume', config.Volumes)
  const leaked = config.Env.filter(variable => /CERT|CA_|PROXY|TOKEN/i.test(variable))
  check(leaked.length === 0, 'variables of the build are in the image', leaked)
  const place = engine.buildah('mount', container)
  const app = join(place, 'app')
  const packages = inspectPackages(app)
  const wasm = listGrammars(join(app, 'dist', grammars))
  const missing = listGrammars(join(root, 'src', grammars)).filter(file => !wasm.includes(file))
  check(missing.length === 0, 'grammars are missing', missing)
  for (const file of buildOnly) {
    const left = existsSync(join(place, file)) && statSync(join(place, file)).size > 0
    check(!left, 'the build has left what is of this machine', file)
  }
  return `${packages} packages, ${wasm.length} grammars`
}

/** @param {string} app */
function inspectPackages(app) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const paths = Object.keys(packages).filter(path => path !== '')
  const isThere = (/** @type {string} */ path) => existsSync(join(app, path))
  const dev = paths.filter(path => packages[path].dev && isThere(path))
  check(dev.length === 0, 'packages for development are in it', dev)
  const needed = paths.filter(
    path => !packages[path].dev && !packages[path].optional && !packages[path].devOptional,
  )
  const missing = needed.filter(path => !isThere(path))
  check(missing.length === 0, 'packages are missing', missing)
  return paths.filter(isThere).length
}

/** @param {string} folder */
function listGrammars(folder) {
  return readdirSync(folder).filter(file => file.endsWith('.wasm.gz'))
}
