export type Goal = { atLeast: number } | { atMost: number }

/**
 * A figure, what it should be, and whether it is.
 *
 * @throws when it is no number: then nothing was measured.
 */
export function report(name: string, figure: number, goal: Goal): void {
  if (!Number.isFinite(figure)) throw new Error(`Nothing was measured: ${name} is ${figure}.`)
  const [sign, bound] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost]
  const isMet = 'atLeast' in goal ? figure >= bound : figure <= bound
  const mark = isMet ? 'met   ' : 'MISSED'
  console.log(`  ${mark}  ${shown(figure)} (goal ${sign} ${shown(bound)})  ${name}`)
}

/**
 * A figure that no goal is set for.
 *
 * @throws when it is no number: then nothing was measured.
 */
export function tell(name: string, figure: string): void {
  if (!/^-?\d/.test(figure) || /NaN|∞|Infinity/.test(figure)) {
    throw new Error(`Nothing was measured: ${name} is ${figure || 'blank'}.`)
  }
  console.log(`          ${figure.padStart(10)}  ${name}`)
}

export const shown = (figure: number): string =>
  Math.abs(figure) >= 1000 || Number.isInteger(figure)
    ? Math.round(figure).toLocaleString('en')
    : figure.toFixed(2)
