import { test } from 'vitest'
import { allCommands, type UserCommand } from '../support/crash/user-commands.js'
import { walkBeside } from '../support/crash/walk-git.js'

const seed = Number(process.env.EDITLATCH_SEED ?? Date.now() % 1_000_000)
const ms = Number(process.env.EDITLATCH_WALK_MS ?? 120_000)

test.each<[string, readonly UserCommand[]]>([
  ['everything', allCommands],
  [
    'worktrees removed and branches moved',
    [
      'worktree remove --force --force',
      'worktree remove',
      'worktree prune',
      'branch -f its own',
      'update-ref its own',
      'commit',
    ],
  ],
  [
    'what rewrites and packs history',
    [
      'rebase',
      'merge',
      'merge --no-commit',
      'cherry-pick',
      'rebase main',
      'gc',
      'repack',
      'pack-refs',
    ],
  ],
  [
    'what touches files',
    ['add', 'clean', 'stash', 'checkout', 'commit', 'commit -a', 'reset --hard'],
  ],
])(
  "CONC-1: the user's own git beside batches for two minutes, none is lost: %s",
  async (name, commands) => walkBeside(name, { seed, ms, commands }),
  3 * ms,
)
