import { batch } from './batch.js'
import { close } from './close.js'
import type { Command } from './command.js'
import { diff } from './diff.js'
import { doctor } from './doctor.js'
import { draftCommit } from './draft-commit.js'
import { draftWrite } from './draft-write.js'
import { edit } from './edit.js'
import { events } from './events.js'
import { files } from './files.js'
import { log } from './log.js'
import { map } from './map.js'
import { materialise } from './materialise.js'
import { open } from './open.js'
import { read } from './read.js'
import { repos } from './repos.js'
import { revert } from './revert.js'
import { search } from './search.js'
import { snapshot } from './snapshot.js'
import { state } from './state.js'
import { symbols } from './symbols.js'
import { verify } from './verify.js'
import { worktrees } from './worktrees.js'
import { write } from './write.js'

/** Everything that can be asked. A new command is one file and one line here. */
export const commands: readonly Command[] = [
  repos,
  open,
  worktrees,
  state,
  close,
  files,
  read,
  symbols,
  search,
  map,
  edit,
  write,
  draftWrite,
  draftCommit,
  diff,
  log,
  batch,
  revert,
  snapshot,
  materialise,
  verify,
  events,
  doctor,
]
