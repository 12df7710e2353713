// `npm run client`: writes src/agent/api.ts, what the typed client knows of the commands, anew from the command list.
// A test fails where it is not fresh.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiSource } from './client/api-source.mjs'
import { root } from './setup.mjs'

writeFileSync(join(root, 'src/agent/api.ts'), apiSource())
