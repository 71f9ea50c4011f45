/** Rows in one statement. With so few, a post that comes meanwhile hardly waits. */
export const rowsAtOnce = 250

/** A piece that took less needs no rest. */
const shortMs = 2

/**
 * Runs work one piece at a time, and rests after each piece for as long as it took. On SQLite a statement
 * blocks the thread that answers shoppers, and their statements wait for those before them. Without the
 * rests a backlog would leave no time for them.
 */
export function createPieces() {
  let last: Promise<void> = Promise.resolve()

  const piece = async <Result>(work: () => PromiseLike<Result>): Promise<Result> => {
    const before = last
    let end = (): void => undefined
    last = new Promise((resolve) => (end = resolve))
    await before
    const begunAt = performance.now()
    try {
      return await work()
    } finally {
      const tookMs = performance.now() - begunAt
      if (tookMs < shortMs) setImmediate(end)
      else setTimeout(end, tookMs)
    }
  }

  return {
    piece,

    /** Runs work for many rows, for a limited number of them at a time. */
    async each<Row>(rows: readonly Row[], work: (some: readonly Row[]) => PromiseLike<unknown>) {
      for (let place = 0; place < rows.length; place += rowsAtOnce) {
        await piece(() => work(rows.slice(place, place + rowsAtOnce)))
      }
    },
  }
}
