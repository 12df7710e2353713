// `npm run image [-- --keep DIR]`: builds the Dockerfile for real and runs the image over mounted repositories, on a
// machine without a container engine. As root on Debian: buildah and debootstrap are installed where they are missing. The
// base image is made of Debian's packages and this machine's Node.js, so nothing is asked of a registry of images.
// With --keep the engine's store stays in DIR, and a base image that is there already is used.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBase } from './image/base.mjs'
import { openEngine } from './image/engine.mjs'
import { inspectImage } from './image/inspect.mjs'
import { tryForeignOwner, tryReadme, tryReadOnly } from './image/trials.mjs'
import { installCommands, stop } from './setup.mjs'
import { checksMade, step, stopAll } from './steps.mjs'

const { values } = parseArgs({ options: { keep: { type: 'string' } } })
const name = 'localhost/editlatch'

if (process.getuid?.() !== 0) stop('This needs root: it makes file systems and changes owners.')
installCommands(['buildah', 'debootstrap'])
await assertFree(8080)

// Not on a tmpfs, for a whole Debian is copied about ten times.
const place = mkdtempSync('/var/tmp/editlatch-image-')
chmodSync(place, 0o755)
const engine = openEngine(values.keep === undefined ? join(place, 'engine') : resolve(values.keep))
process.exitCode = 1
// Then the step that waits for it fails, and all is cleaned up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stopAll)
try {
  const started = performance.now()
  if (!engine.hasBase()) await step('the base image', () => makeBase(engine))
  await step('the image is built', () => engine.build(name).slice(0, 12))
  const image = { engine, container: engine.buildah('from', name), config: engine.config(name) }
  await step('what is in it', () => inspectImage(image))
  await step('the example of the README, by buildah', () => tryReadme(image, place))
  await step('a read-only root, another user', () => tryReadOnly(image, place))
  await step("somebody else's repository", () => tryForeignOwner(image, place))
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${checksMade()} checks in ${seconds} s, image of ${engine.megabytes(name)} MB`)
  process.exitCode = 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  stopAll()
  engine.clear()
  rmSync(place, { recursive: true, force: true })
}

/**
 * The image listens at one port, as it would in a network of its own.
 * @param {number} port
 */
function assertFree(port) {
  return new Promise(resolve => {
    const probe = createServer()
    probe.on('error', () => stop(`Port ${port} is in use here, and the image needs it.`))
    probe.listen(port, '127.0.0.1', () => probe.close(resolve))
  })
}
