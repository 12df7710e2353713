import { expect, test } from 'vitest'
import { Refusal } from '#src/core/errors.js'
import { toRefusal, withRefusals } from '#src/io/files/io-refusal.js'

const fault = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['ENOSPC', 'DISK_FULL', 507],
  ['EDQUOT', 'DISK_FULL', 507],
  ['EROFS', 'IO_FAULT', 503],
  ['EIO', 'IO_FAULT', 503],
  ['EMFILE', 'IO_FAULT', 503],
  ['ENFILE', 'IO_FAULT', 503],
  ['EACCES', 'IO_FAULT', 503],
])('%s is %s', (errno, code, status) => {
  expect(toRefusal(fault(errno))).toMatchObject({ code, status, data: { errno } })
  const act = (): never => {
    throw fault(errno)
  }
  expect(() => withRefusals(act)).toThrow(Refusal)
})

test('any other error stays what it is', () => {
  const bug = new TypeError('bug')
  expect(() => toRefusal(bug)).toThrow(bug)
  expect(() => toRefusal(fault('ENOTDIR'))).toThrow('ENOTDIR')
  const refusal = new Refusal('SYMLINK')
  expect(toRefusal(refusal)).toBe(refusal)
  expect(withRefusals(() => 1)).toBe(1)
})
