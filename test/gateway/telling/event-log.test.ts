import { expect, test } from 'vitest'
import { EventLog, type GatewayEvent } from '#src/gateway/telling/event-log.js'

function logOf(count: number): EventLog {
  const log = new EventLog(100)
  for (let at = 0; at < count; at += 1) log.publish({ type: 'batch', worktree: 'w' })
  return log
}

const ids = (events: readonly GatewayEvent[]): unknown[] =>
  events.map(event => (event.type === 'missed' ? 'missed' : event.id))

test.each<[string, number, number, unknown[]]>([
  ['the events after one', 3, 101, [102, 103]],
  ['all events since the start', 2, 100, [101, 102]],
  ['nothing new', 2, 102, []],
  ['nothing yet', 0, 100, []],
  ['an id from before a restart', 2, 7, ['missed', 101, 102]],
  ['an id that was never given', 2, 900, ['missed', 101, 102]],
])('%s', (_, count, since, expected) => expect(ids(logOf(count).since(since))).toEqual(expected))

test('what is no longer kept is said to be missed', () => {
  const events = logOf(1_005).since(103)
  expect([events.length, ...ids(events.slice(0, 2))]).toEqual([1_001, 'missed', 106])
})

test('a listener hears until it stops', () => {
  const log = logOf(0)
  const heard: GatewayEvent[] = []
  const stop = log.subscribe(event => heard.push(event))
  log.publish({ type: 'worktree_opened', worktree: 'w' })
  stop()
  log.publish({ type: 'worktree_closed', worktree: 'w' })
  expect(heard).toEqual([{ id: 101, type: 'worktree_opened', worktree: 'w' }])
})
