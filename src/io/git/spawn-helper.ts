import { type SpawnRequest, spawnBounded } from './spawn-bounded.js'

/** Milliseconds of output that are told together: some programs write each line by itself. */
const gatherMs = 3

/**
 * The entry of the small process that starts git for a large one: starting a child copies the page
 * tables of its parent, 5 ms for every 100 MB (libuv issue 1715). It ends with its parent.
 */
process.on('message', (message: { readonly id: number; readonly request: SpawnRequest }) => {
  const { id, request } = message
  const gathered: Uint8Array[] = []
  const tell = (): void => {
    const preview = Buffer.concat(gathered.splice(0))
    if (preview.length > 0) process.send?.({ id, preview })
  }
  const onPreview = (chunk: Uint8Array): void => {
    if (gathered.length === 0) setTimeout(tell, gatherMs)
    gathered.push(chunk)
  }
  spawnBounded(request, { onPreview }).then(answer => {
    gathered.length = 0
    process.send?.({ id, answer })
  })
})
process.on('disconnect', () => process.exit(0))
