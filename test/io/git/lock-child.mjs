// A process of its own for the tests of the locks: `node lock-child.mjs <what> <git directory> <counter> <rounds>`.
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockIndex, removeDeadOwner, withRecoveryLock } from '#src/io/git/index-lock.js'
import { closeOwnerRecord, openOwnerRecord } from '#src/io/git/owner-record.js'

const [, , what = '', gitDir = '', counter = '', rounds = '1'] = process.argv
const owner = openOwnerRecord(gitDir, { durable: false })

// Not atomic on purpose: two at the same time would lose a count.
async function count() {
  const before = Number(readFileSync(counter, 'utf8'))
  await sleep(Math.random())
  writeFileSync(counter, `${before + 1}`)
}

const options = {
  waitMs: 20_000,
  /** @param {string} record */
  onDeadOwner: record =>
    withRecoveryLock(gitDir, owner, async () => removeDeadOwner(gitDir, record)),
}

/** @type {Readonly<Record<string, () => Promise<void>>>} */
const parts = {
  async hold() {
    const lock = await lockIndex(gitDir, owner, options)
    process.stdout.write('held\n')
    for await (const _ of process.stdin) break
    lock.release()
  },
  async index() {
    for (let round = 0; round < Number(rounds); round += 1) {
      const lock = await lockIndex(gitDir, owner, options)
      await count()
      lock.release()
    }
  },
  async recover() {
    for (let round = 0; round < Number(rounds); round += 1) {
      await withRecoveryLock(gitDir, owner, count)
    }
  },
  async die() {
    await withRecoveryLock(gitDir, owner, async () => {
      process.stdout.write('held\n')
      process.kill(process.pid, 'SIGKILL')
      await sleep(60_000)
    })
  },
}

await parts[what]?.()
closeOwnerRecord(owner)
