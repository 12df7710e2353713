const realDate = Date

/** Runs work while the clock of this process stands elsewhere; the monotonic one goes on. */
export async function withClockMoved<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  class MovedDate extends realDate {
    constructor(...given: readonly [] | readonly [number | string]) {
      if (given.length === 0) super(realDate.now() + byMs)
      else super(given[0])
    }

    static override now(): number {
      return realDate.now() + byMs
    }
  }
  Reflect.set(globalThis, 'Date', MovedDate)
  try {
    return await work()
  } finally {
    Reflect.set(globalThis, 'Date', realDate)
  }
}
