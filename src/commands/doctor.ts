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
      ...renderSettings(settings),
    ].join('\n'),
})

/** A line for each setting, with who said it where that is known. */
function renderSettings({
  sources,
  ...settings
}: Readonly<Record<string, unknown>>): readonly string[] {
  const saidBy = typeof sources === 'object' && sources !== null ? Object.entries(sources) : []
  const rows = Object.entries(settings).map(([name, value]) => {
    const source = saidBy.find(([one]) => one === name)?.[1]
    return [name, JSON.stringify(value), ...(source === undefined ? [] : [`(${String(source)})`])]
  })
  return ['settings', columns(rows.map(row => [`  ${row[0]}`, row.slice(1).join('  ')]))]
}
