// One client that sends as fast as it can and does not listen when it is told to wait.

/**
 * @param {{ get: (path: string) => Promise<{ readonly status: number }> }} client
 * @param {{ readonly atOnce: number, readonly until: number }} options
 * @returns {Promise<Readonly<Record<string, number>>>} how often it got each status
 */
export async function flood(client, { atOnce, until }) {
  /** @type {Record<string, number>} */
  const statuses = {}
  const send = async () => {
    while (performance.now() < until) {
      const { status } = await client.get('/files')
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  return statuses
}
