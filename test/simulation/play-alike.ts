import { finalState } from './final-state.js'
import type { SimulatedShop } from './simulated-shop.js'
import type { Run } from './step.js'

/** Plays a run in two shops, one after the other. What they do not leave alike is wrong, too. */
export async function playAlike(one: SimulatedShop, other: SimulatedShop, run: Run) {
  const [first, second] = [await playToItsEnd(one, run), await playToItsEnd(other, run)]
  return {
    problems: [
      ...[...first.problems, ...second.problems],
      ...onlyIn(first.state, second.state).map((line) => `only on ${one.kind}: ${line}`),
      ...onlyIn(second.state, first.state).map((line) => `only on ${other.kind}: ${line}`),
    ],
    trace: [...first.trace, ...second.trace],
  }
}

async function playToItsEnd({ kind, play }: SimulatedShop, run: Run) {
  const { problems, trace, world } = await play(run)
  return {
    problems: problems.map((problem) => `on ${kind}: ${problem}`),
    trace: [`on ${kind}:`, ...trace],
    state: await finalState(world),
  }
}

/** Of two equal lines each needs one of its own. */
function onlyIn(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const place = left.indexOf(line)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}
