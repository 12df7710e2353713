// What an image has to do, each time over a mounted repository: the example of the README, a root that cannot be written to,
// a repository of another owner.
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDemoRepository } from '../../fixtures-repos/demo.mjs'
import { check, run } from '../steps.mjs'
import { runByBuildah, runReadOnly } from './containers.mjs'
import { driveExample, driveParts, listTools, untilReady, untilSetUp } from './drive.mjs'

/** @typedef {Pick<import('./containers.mjs').Setting, 'engine' | 'container' | 'config'>} Image */

const url = 'http://127.0.0.1:8080'

/**
 * @param {Image} image
 * @param {string} place
 */
export async function tryReadme(image, place) {
  const world = makeWorld(join(place, 'readme'), 1000)
  const served = await serve(runByBuildah, image, world)
  const example = await driveExample(url, served.token, 'demo')
  await driveParts(example)
  const tools = await listTools(url, served.token)
  const stoppedMs = await served.stop()
  const files = checkOutside(world, example.commit)
  return `commit ${example.commit.slice(0, 12)}, ${tools} tools, ${files} files of user 1000, stopped in ${stoppedMs} ms`
}

/**
 * @param {Image} image
 * @param {string} place
 */
export async function tryReadOnly(image, place) {
  const world = makeWorld(join(place, 'read-only'), 1234)
  // It keeps something in the home of whoever runs it.
  const setup = ['npm', 'config', 'set', 'fund', 'false']
  const config = { ...image.config, Cmd: ['serve', '--setup', JSON.stringify(setup)] }
  const served = await serve(runReadOnly, { ...image, config }, world)
  const example = await driveExample(url, served.token, 'demo')
  await untilSetUp(example)
  const { commit } = example
  const touched = await served.exec(['touch', '/app/written'])
  check(touched !== 0, 'the root can be written to', touched)
  const stoppedMs = await served.stop()
  const files = checkOutside(world, commit)
  return `${files} files of user 1234, stopped in ${stoppedMs} ms`
}

/**
 * A repository that its group may write to, mounted by its owner, is served to another user; one of a third person below
 * such a mount is refused.
 * @param {Image} image
 * @param {string} place
 */
export async function tryForeignOwner(image, place) {
  const world = makeWorld(join(place, 'foreign'), 1000)
  run('git', ['config', 'core.sharedRepository', 'group'], { cwd: world.repository, ...as(1000) })
  own(world.repository, 2000, 1000)
  run('chmod', ['-R', 'g+rwX', world.repository])
  const served = await serve(runReadOnly, image, world)
  const { commit } = await driveExample(url, served.token, 'demo')
  await served.stop()
  const said = run('git', ['log', '-1', '--format=%s', commit], {
    cwd: world.repository,
    ...as(2000, 1000),
  })
  check(said === 'Say good day', 'its owner does not see the commit', said)

  const mounted = join(place, 'foreign/host')
  own(mounted, 2000, 1000)
  own(world.repository, 3000, 1000)
  /** @type {Mounts} */
  const mounts = [[mounted, mounted], ...world.mounts.slice(1)]
  const config = { ...image.config, Cmd: ['serve', world.repository] }
  const refused = runReadOnly({ ...image, config, uid: 1000, mounts })
  const code = await refused.ended
  check(code === 3, 'the repository of a third person is served', refused.printed())
  check(refused.printed().includes('FOREIGN_OWNER'), 'it is refused otherwise', refused.printed())
}

/** @typedef {readonly (readonly [host: string, inside: string])[]} Mounts */
/** @typedef {{ readonly repository: string, readonly data: string, readonly uid: number, readonly mounts: Mounts }} World */

/**
 * The demo repository of a user, and a place for state.
 * @param {string} place
 * @param {number} uid
 * @returns {World}
 */
function makeWorld(place, uid) {
  const repository = join(place, 'host/demo')
  const data = join(place, 'data')
  buildDemoRepository(repository)
  mkdirSync(data)
  chmodSync(data, 0o1777)
  own(join(place, 'host'), uid, uid)
  return {
    repository,
    data,
    uid,
    mounts: [
      [repository, repository],
      [data, '/data'],
    ],
  }
}

/**
 * Serves the world until it is stopped, which answers the milliseconds that it took.
 * @param {typeof runByBuildah} runContainer
 * @param {Image} image
 * @param {World} world
 */
async function serve(runContainer, image, world) {
  const server = runContainer({ ...image, ...world })
  const early = await Promise.race([untilReady(url), server.ended])
  check(early === undefined, `the server ended with ${early}`, server.printed())
  const [kind, ...health] = image.config.Healthcheck?.Test ?? []
  check(kind === 'CMD', 'the health check is no plain command', kind)
  const healthy = await server.exec(health)
  check(healthy === 0, 'the health check fails', healthy)
  const stop = async () => {
    const started = performance.now()
    server.stop()
    const code = await server.ended
    check(code === 0, `it ended with ${code}`, server.printed())
    const took = Math.round(performance.now() - started)
    return took
  }
  const token = readFileSync(join(world.data, 'state/editlatch/token'), 'utf8').trim()
  return { token, exec: server.exec, stop }
}

/**
 * Looks from outside, as the owner: the commit is there, the checkout is as it was, and everything belongs to one user.
 * @param {World} world
 * @param {string} commit
 */
function checkOutside({ repository, data, uid }, commit) {
  const git = (/** @type {readonly string[]} */ ...args) =>
    run('git', args, { cwd: repository, ...as(uid) })
  const log = git('log', '--format=%H %s', 'main..agent/alice')
  check(log.includes(`${commit} Say good day`), 'the commit is not in the log', log)
  check(git('status', '--porcelain') === '', 'the checkout has changed', repository)
  git('fsck', '--no-progress')
  const files = [repository, data].flatMap(filesBelow)
  const others = files.filter(file => lstatSync(file).uid !== uid)
  check(others.length === 0, 'files belong to others', others)
  return files.length
}

/**
 * How git is started as another user.
 * @param {number} uid
 * @param {number} [gid]
 */
function as(uid, gid = uid) {
  return { uid, gid, env: { PATH: process.env.PATH, HOME: '/nonexistent' } }
}

/**
 * @param {string} place
 * @param {number} uid
 * @param {number} gid
 */
function own(place, uid, gid) {
  for (const file of [place, ...filesBelow(place)]) chownSync(file, uid, gid)
}

/** @param {string} place */
function filesBelow(place) {
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).map(name => join(place, name))
}
