import { z } from 'zod'
import { reposAnswer } from './answers/upkeep.js'
import { answer, defineCommand } from './command.js'
import { value } from './output.js'
import { columns } from './render-text.js'

/** The repositories that are served. */
export const repos = defineCommand({
  name: 'repos',
  summary: 'List the repositories that are served.',
  input: z.strictObject({}),
  bind: {},
  routes: [{ method: 'GET', path: '/v1/repos' }],
  access: 'server',
  output: value(reposAnswer),
  run: async gateway => answer({ repositories: await gateway.repositories() }),
  render: ({ repositories }) =>
    columns(repositories.map(repository => [repository.name, repository.path])),
})
