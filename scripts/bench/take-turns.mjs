// Lets engines work in turn, so that whatever disturbs the machine disturbs all of them.

/** @typedef {import('./engine-process.mjs').EngineProcess} EngineProcess */

/** A batch that takes longer is not waited for again and again. */
const longestMs = 2_000

/** Numbers batches of one repository, and counts those of each engine. */
export class Turns {
  /** @type {Map<string, number>} */
  #counts = new Map()
  #number = 0

  /**
   * How many batches an engine has made.
   * @param {EngineProcess} engine
   */
  made({ kind }) {
    return this.#counts.get(kind.name) ?? 0
  }

  /**
   * Warms engines up, and leaves those out that take too long. Answers who stays.
   * @param {readonly EngineProcess[]} engines
   * @param {number} files
   * @param {(name: string, milliseconds: number) => void} leftOut
   */
  async warmUp(engines, files, leftOut) {
    const staying = []
    for (const engine of engines) {
      let milliseconds = 0
      for (let left = engine.kind.warmUp; left > 0 && milliseconds <= longestMs; left -= 1) {
        milliseconds = await this.#batch(engine, files)
      }
      if (milliseconds <= longestMs) staying.push(engine)
      else leftOut(engine.kind.title, milliseconds)
    }
    return staying
  }

  /**
   * A row of batches of each engine, again and again, each time beginning with another one. Answers the milliseconds of
   * each. In rows of one every batch finds the caches full of what the others did; in longer rows all but the first find
   * their own.
   * @param {readonly EngineProcess[]} engines
   * @param {{ readonly batches: number, readonly files: number, readonly row: number }} wanted
   */
  async take(engines, { batches, files, row }) {
    const times = new Map(engines.map(({ kind }) => [kind.name, /** @type {number[]} */ ([])]))
    for (let round = 0; round * row < batches; round += 1) {
      const first = round % engines.length
      for (const engine of [...engines.slice(first), ...engines.slice(0, first)]) {
        for (let left = row; left > 0; left -= 1)
          times.get(engine.kind.name)?.push(await this.#batch(engine, files))
      }
    }
    return times
  }

  /**
   * @param {EngineProcess} engine
   * @param {number} files
   */
  async #batch(engine, files) {
    this.#counts.set(engine.kind.name, this.made(engine) + 1)
    this.#number += 1
    return engine.batch({ number: this.#number, files })
  }
}
