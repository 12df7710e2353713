// The gateway as a server, durability process and without the syntax check, as in process, asked over one connection that stays open.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { startServer } from '../replay/server.mjs'
import { BatchInputs } from './changed-texts.mjs'
import { serveEngine } from './serve-engine.mjs'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

await serveEngine(async ({ clone, folder, base, texts }) => {
  const options = { state: join(folder, 'state-http'), log: join(folder, 'http.log') }
  const server = await startServer(clone, {
    ...options,
    durability: 'process',
    flags: ['--no-syntax-check'],
  })
  const { body } = await server.post('/v1/worktrees', { agent: 'http', base })
  const url = new URL(`/v1/worktrees/${encodeURIComponent(body.id)}/batches`, server.url)
  const inputs = new BatchInputs(texts)
  return {
    path: String(body.path),
    prepare: async batch => {
      const asked = inputs.next(batch)
      return () => post(url, body.token, asked)
    },
    stop: async () => {
      agent.destroy()
      await server.stop()
    },
  }
})

/**
 * @param {URL} url
 * @param {string} token
 * @param {unknown} body
 */
function post(url, token, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 201) resolve(JSON.parse(text))
        else reject(new Error(`the server answered ${response.statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
