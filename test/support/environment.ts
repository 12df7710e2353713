import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const gitConfig = `[user]
	name = Test Person
	email = person@example.com
[init]
	defaultBranch = main
`

/**
 * Gives a test run a world of its own before its workers start: home, state and temporary directories,
 * git configuration and dates. Nothing of the developer's is read, and one `rm` at the end removes it all.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const world = await mkdtemp(join(tmpdir(), 'editlatch-test-'))
  const places = {
    HOME: join(world, 'home'),
    XDG_CONFIG_HOME: join(world, 'home/.config'),
    XDG_STATE_HOME: join(world, 'state'),
    TMPDIR: join(world, 'tmp'),
  }
  for (const place of Object.values(places)) await mkdir(place, { recursive: true })
  const gitConfigFile = join(places.HOME, '.gitconfig')
  await writeFile(gitConfigFile, gitConfig)

  // A git hook that runs the tests would pass on its own GIT_DIR and GIT_INDEX_FILE.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
  Object.assign(process.env, places, {
    GIT_CONFIG_GLOBAL: gitConfigFile,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  })
  return () => rm(world, { recursive: true, force: true })
}
