import { expect, test } from 'vitest'
import { defaultLimits } from '#src/core/limits.js'
import { FairShare } from '#src/faces/http/fair-share.js'
import type { Caller } from '#src/gateway/tokens.js'

const limits = { ...defaultLimits, requestsPerSecond: 2, concurrentRequests: 3 }
const alice: Caller = { kind: 'worktree', id: 'app~alice', scope: 'edit' }
const bob: Caller = { kind: 'worktree', id: 'app~bob', scope: 'edit' }

/** How many of ten requests are let in. */
function admitted(share: FairShare, caller: Caller, done: (leave: () => void) => void): number {
  return Array.from({ length: 10 }).filter(() => {
    try {
      done(share.enter(caller))
      return true
    } catch {
      return false
    }
  }).length
}

test('DOS-6: a burst is twice the rate', () => {
  const share = new FairShare(limits, () => 0)
  expect(admitted(share, alice, leave => leave())).toBe(4)
})

test('DOS-6: credit comes back with time', () => {
  let nowMs = 0
  const share = new FairShare(limits, () => nowMs)
  admitted(share, alice, leave => leave())
  nowMs = 500
  expect(admitted(share, alice, leave => leave())).toBe(1)
})

test('DOS-6: only so many are in flight', () => {
  const share = new FairShare(limits, () => 0)
  expect(admitted(share, alice, () => undefined)).toBe(3)
})

test('DOS-6: one token leaves the others theirs', () => {
  const share = new FairShare(limits, () => 0)
  admitted(share, alice, () => undefined)
  expect(admitted(share, bob, () => undefined)).toBe(3)
})
