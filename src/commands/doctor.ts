import { z } from 'zod'
import { doctorAnswer } from './answers/upkeep.js'
import { answer, defineCommand } from './command.js'
import { value } from './output.js'
import { columns } from './render-text.js'

/** Looks whether everything is as it should be, and says what to do where it is not. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check the machine, the repositories and what was left behind; it changes nothing.',
  input: z.strictObject({}),
  bind: {},
  routes: [{ method: 'GET', path: '/v1/doctor' }],
  access: 'server',
  output: value(doctorAnswer),
  opensRefused: true,
  run: async gateway => answer(await gateway.examine()),
  render: ({ checks, settings }) =>
    [
      columns(
        checks.map(({ status, repository, name, detail }) => [
          status,
          repository === undefined ? name : `${repository}: ${name}`,
          detail,
        ]),
      ),
      ...checks.flatMap(({ name, what_to_do: todo }) =>
        todo === undefined ? [] : [`-> ${name}: ${todo}`],
      ),
      `settings ${JSON.stringify(settings)}`,
    ].join('\n'),
})
