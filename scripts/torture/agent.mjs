// One agent that edits without pause, and remembers what it was promised.

/**
 * @typedef {import('../replay/server.mjs').Server} Server
 * @typedef {{ readonly key: string, readonly edits: readonly object[] }} Batch
 */

/** Works in one worktree; each batch touches several files, so that a half one would show. */
export class Agent {
  /** @readonly */ name
  /**
   * The batches that were answered, in order.
   * @type {{ readonly key: string, readonly commit: string }[]}
   */
  acknowledged = []
  /** Batches that a kill left without an answer. */
  unanswered = 0
  refusals = 0
  path = ''
  /** @type {Batch | undefined} */
  #pending
  #number = 0
  #random

  /**
   * @param {string} name
   * @param {(below: number) => number} random
   */
  constructor(name, random) {
    this.name = name
    this.#random = random
  }

  /** The batch that a kill left without an answer. */
  get pending() {
    return this.#pending
  }

  /** @param {Server} server */
  async open(server) {
    const { status, body } = await server.post('/v1/worktrees', { agent: this.name })
    if (status !== 201)
      throw new Error(`${this.name} could not open its worktree: ${JSON.stringify(body)}`)
    this.path = body.path
  }

  /**
   * Sends what was left without an answer once more: it must be done exactly once.
   * @param {Server} server
   * @returns {Promise<'none' | 'done'>}
   */
  async resend(server) {
    const batch = this.#pending
    if (batch === undefined) return 'none'
    const { status, body } = await this.#send(server, batch)
    if (status !== 201 && status !== 200)
      throw new Error(
        `a batch sent again was refused: ${JSON.stringify(body)}\n${JSON.stringify(batch.edits)}`,
      )
    this.acknowledged.push({ key: batch.key, commit: body.commit })
    this.#pending = undefined
    return 'done'
  }

  /**
   * Edits until the server is gone.
   * @param {Server} server
   */
  async work(server) {
    for (;;) {
      const batch = await this.#nextBatch(server)
      if (batch === undefined) return
      this.#pending = batch
      const { status, body } = await this.#send(server, batch)
      if (status === 0) {
        this.unanswered += 1
        return
      }
      this.#pending = undefined
      if (status === 201) this.acknowledged.push({ key: batch.key, commit: body.commit })
      else if (status < 500) this.refusals += 1
      else throw new Error(`${status}: ${JSON.stringify(body)}`)
    }
  }

  /**
   * @param {Server} server
   * @param {Batch} batch
   */
  #send(server, { key, edits }) {
    const body = { edits, idempotency_key: key }
    return server.post(`/v1/worktrees/${this.name}/batches`, body)
  }

  /**
   * A line changed in three files, a file made, and sometimes the one made before moved or deleted.
   * @param {Server} server
   * @returns {Promise<Batch | undefined>}
   */
  async #nextBatch(server) {
    this.#number += 1
    const base = `/v1/worktrees/${this.name}`
    const listed = await server.get(`${base}/files?limit=1000`)
    if (listed.status !== 200) return undefined
    /** @type {readonly string[]} */
    const all = listed.body.files
    const edits = []
    const chosen = new Set(Array.from({ length: 3 }, () => all[this.#random(all.length)] ?? ''))
    for (const path of chosen) {
      const read = await server.get(`${base}/file?path=${encodeURIComponent(path)}`)
      if (read.status !== 200) return undefined
      const line = 1 + this.#random(Math.max(read.body.total_lines, 1))
      const expected_rev = read.body.rev
      const kind = path.startsWith('made/') ? this.#random(3) : 0
      if (kind === 1) edits.push({ op: 'delete_file', path, expected_rev })
      else if (kind === 2)
        edits.push({
          op: 'move_file',
          path,
          expected_rev,
          to: `made/${this.#number}-${edits.length}-moved.txt`,
        })
      else
        edits.push({
          op: 'insert_lines',
          path,
          expected_rev,
          line,
          text: `${this.name} ${this.#number}`,
        })
    }
    const made = `made/${this.#number}.txt`
    edits.push({
      op: 'write_file',
      path: made,
      expected_rev: null,
      text: `${this.name} ${this.#number}\n`,
    })
    return { key: `${this.name}-${this.#number}-${this.#random(1_000_000)}`, edits }
  }
}
