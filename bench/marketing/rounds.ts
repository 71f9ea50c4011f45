/** One thing to measure, again and again. */
export interface Arm<Measured> {
  name: string
  measure(): Promise<Measured>
}

/**
 * Measures the arms in turn, round after round, each round beginning with another one, so that
 * whatever else the machine does falls on all of them. One round before that is not counted.
 */
export async function takeTurns<Measured>(
  arms: readonly Arm<Measured>[],
  rounds: number,
): Promise<Map<string, Measured[]>> {
  const results = new Map<string, Measured[]>(arms.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    const shift = (round + arms.length) % arms.length
    for (const arm of [...arms.slice(shift), ...arms.slice(0, shift)]) {
      const measured = await arm.measure()
      if (round >= 0) results.get(arm.name)?.push(measured)
    }
  }
  return results
}

/** The value below which that share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The median of the ratios of each round, in which both had the same machine. */
export function medianRatio<Measured>(
  [ones, others]: readonly [one: readonly Measured[], other: readonly Measured[]],
  figureOf: (measured: Measured) => number,
): number {
  return median(
    ones.map((one, round) => {
      const other = others[round]
      return other === undefined ? NaN : figureOf(one) / figureOf(other)
    }),
  )
}
