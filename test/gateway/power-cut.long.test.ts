import { expect, test } from 'vitest'
import { cutPower } from '../support/crash/power-cut.js'

test('CRASH-2: what was acknowledged survives 30 power cuts', async context => {
  const { code, printed } = await cutPower(30)
  console.log(printed)
  expect(code).toBe(0)
  if (printed.includes('not run:')) context.skip('no disk can be mounted here')
  expect(printed).toContain('nothing acknowledged was lost')
}, 600_000)
