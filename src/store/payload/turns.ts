/** Lets work happen in turn within this process. */
export interface Turns {
  /** Runs the work when all earlier work of the same name is over. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** One after the other by name; different names at once. */
export function createTurns(): Turns {
  const lasts = new Map<string, Promise<unknown>>()
  return {
    async take(name, work) {
      const before = lasts.get(name) ?? Promise.resolve()
      // Whoever comes next waits for the end, be it a failure.
      const turn = before.then(work, work)
      const over = turn.catch(() => undefined)
      lasts.set(name, over)
      try {
        return await turn
      } finally {
        if (lasts.get(name) === over) lasts.delete(name)
      }
    },
  }
}

/** Lets at most so many pieces of work happen at once. */
export function createGate(
  atOnce: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside < atOnce) inside += 1
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}
