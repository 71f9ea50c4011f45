/** One thing to measure. What it returns is counted as its work: bytes, orders, whatever fits. */
export interface Arm {
  name: string
  run(): Promise<number>
}

export interface Measured {
  name: string
  medianMs: number
  work: number
}

/**
 * Runs the arms in turn, round after round, each round in another order, so that whatever else the
 * machine does falls on all of them. One round before that is not counted.
 */
export async function interleave(arms: readonly Arm[], rounds: number): Promise<Measured[]> {
  const times = new Map(arms.map(({ name }) => [name, [] as number[]]))
  const work = new Map<string, number>()
  for (let round = -1; round < rounds; round++) {
    const shift = (round + arms.length) % arms.length
    for (const arm of [...arms.slice(shift), ...arms.slice(0, shift)]) {
      const start = performance.now()
      work.set(arm.name, await arm.run())
      if (round >= 0) times.get(arm.name)?.push(performance.now() - start)
    }
  }
  return arms.map(({ name }) => ({
    name,
    medianMs: median(times.get(name) ?? []),
    work: work.get(name) ?? 0,
  }))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? NaN, sorted[Math.floor(middle)] ?? NaN]
  return (low + high) / 2
}
