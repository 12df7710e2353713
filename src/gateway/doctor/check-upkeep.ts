import type { ServedRepository } from '../repository/served-repository.js'
import type { IndexProgress, WatchState } from '../repository/upkeep-state.js'
import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

/** How the open worktrees are watched and how far their symbols are read; nothing where this process does neither. */
export function checkUpkeep({ upkeep }: ServedRepository): readonly DoctorCheck[] {
  const states = [...upkeep].map(([id, state]) => ({ id, ...state() }))
  const watches = states.flatMap(({ id, watch }) => (watch === undefined ? [] : [{ id, watch }]))
  const indexes = states.flatMap(({ id, index }) => (index === undefined ? [] : [{ id, index }]))
  return [
    ...(watches.length === 0 ? [] : checkWatches(watches)),
    ...(indexes.length === 0 ? [] : checkIndexes(indexes)),
  ]
}

function checkWatches(
  watches: readonly { readonly id: string; readonly watch: WatchState }[],
): readonly DoctorCheck[] {
  const findings = watches.flatMap(({ id, watch }): Finding[] => {
    if (watch.kind !== 'off') return []
    const detail = `${id} is not watched: ${watch.reason ?? 'no reason known'}`
    const todo =
      watch.reason === 'ENOSPC'
        ? 'Raise fs.inotify.max_user_watches; until then changes by others are seen when a file is asked for.'
        : 'Nothing needs to be done: changes by others are seen when a file is asked for.'
    return [{ status: 'warning', detail, what_to_do: todo }]
  })
  const well = watches.map(({ id, watch: { kind, directories } }) =>
    kind === 'chokidar'
      ? `${id}: ${directories} directories by chokidar`
      : `${id}: ${directories} directories by one watch each, too many for chokidar`,
  )
  return report('watching', findings, well.join('; '))
}

function checkIndexes(
  indexes: readonly { readonly id: string; readonly index: IndexProgress }[],
): readonly DoctorCheck[] {
  const well = indexes.map(({ id, index: { read, unread, isRunning, isPartial } }) => {
    const rest = [isRunning ? 'going on' : '', isPartial ? 'not all: too many' : '']
    return [`${id}: ${read} of ${unread} new files read`, ...rest.filter(Boolean)].join(', ')
  })
  return report('symbol_index', [], well.join('; '))
}
