/** One thing to measure. */
export interface Arm {
  name: string
  /** Resolves to how much it has done: orders, sends, whatever fits. */
  run(): Promise<number>
}

export interface Measured {
  name: string
  medianMs: number
}

interface Size {
  rounds: number
  /** Rounds before those that count. Default 1. */
  warmUp?: number
  /** What each run must do. */
  work: number
}

/**
 * Runs the arms in turn, round after round, each round in another order, so that whatever else the
 * machine does falls on all of them.
 *
 * @throws when a run has not done exactly this much work.
 */
export async function interleave(
  arms: readonly Arm[],
  { rounds, warmUp = 1, work }: Size,
): Promise<Measured[]> {
  const times = new Map(arms.map(({ name }) => [name, [] as number[]]))
  for (let round = -warmUp; round < rounds; round++) {
    const shift = (round + warmUp) % arms.length
    for (const arm of [...arms.slice(shift), ...arms.slice(0, shift)]) {
      const start = performance.now()
      const done = await arm.run()
      if (round >= 0) times.get(arm.name)?.push(performance.now() - start)
      if (done !== work) throw new Error(`${arm.name} has done ${done} instead of ${work}.`)
    }
  }
  return arms.map(({ name }) => ({ name, medianMs: median(times.get(name) ?? []) }))
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? NaN, sorted[Math.floor(middle)] ?? NaN]
  return (low + high) / 2
}
