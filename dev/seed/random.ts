/** Numbers that look random and are the same at every run. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number; both ends are possible. */
  between(from: number, to: number): number
  /** True in this share of the cases, from 0 to 1. */
  chance(share: number): boolean
  pick<Value>(values: readonly Value[]): Value
}

/** Mulberry32, a generator of 32 bits of state. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    pick: <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value,
  }
}
