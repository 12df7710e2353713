import { expect, test } from 'vitest'
import { SharedRun } from '#src/gateway/repository/shared-run.js'

/** Work that ends when it is told to; each run answers its number. */
function makeWork(): { begun: number; readonly ends: ((failed: boolean) => void)[] } & {
  readonly shared: SharedRun<number>
} {
  const state = { begun: 0, ends: [] as ((failed: boolean) => void)[] }
  const shared = new SharedRun(() => {
    state.begun += 1
    const number = state.begun
    return new Promise<number>((resolve, reject) => {
      state.ends.push(failed => (failed ? reject(new Error(`run ${number}`)) : resolve(number)))
    })
  })
  return Object.assign(state, { shared })
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('who asks while a run is under way waits for the next one, together with all others', async () => {
  const work = makeWork()
  const first = work.shared.run()
  await settle()
  const later = [work.shared.run(), work.shared.run(), work.shared.run()]
  await settle()
  expect(work.begun).toBe(1)
  work.ends[0]?.(false)
  expect(await first).toBe(1)
  await settle()
  expect(work.begun).toBe(2)
  work.ends[1]?.(false)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

test('those who ask at the same moment share the first run', async () => {
  const work = makeWork()
  const both = [work.shared.run(), work.shared.run()]
  await settle()
  work.ends[0]?.(false)
  expect(await Promise.all(both)).toEqual([1, 1])
})

test('a failure is told to those who shared the run, and to nobody else', async () => {
  const work = makeWork()
  const first = work.shared.run()
  await settle()
  const second = work.shared.run()
  work.ends[0]?.(true)
  await expect(first).rejects.toThrow('run 1')
  await settle()
  work.ends[1]?.(false)
  expect(await second).toBe(2)
})
