import { type SpawnRequest, spawnBounded } from './spawn-bounded.js'

/**
 * The entry of the small process that starts git for a large one: starting a child copies the page
 * tables of its parent, 5 ms for every 100 MB (libuv issue 1715). It ends with its parent.
 */
process.on('message', (message: { readonly id: number; readonly request: SpawnRequest }) => {
  const { id, request } = message
  const onPreview = (preview: Uint8Array): void => void process.send?.({ id, preview })
  spawnBounded(request, { onPreview }).then(answer => process.send?.({ id, answer }))
})
process.on('disconnect', () => process.exit(0))
