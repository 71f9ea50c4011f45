import type { CallAnswer, Outcome } from '../marketing/platform.js'

/**
 * Calls with the items about which nothing is said yet, and puts the outcomes of both in the order of
 * the items. No call when nothing is left to say.
 */
export async function withFitItems<Item>(
  items: readonly Item[],
  judged: readonly (Outcome | undefined)[],
  call: (fit: Item[]) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const fit = items.filter((_, index) => judged[index] === undefined)
  if (fit.length === 0) {
    return { outcomes: judged.filter((outcome) => outcome !== undefined), isUnasked: true }
  }
  const answer = await call(fit)
  const told = answer.outcomes.values()
  const outcomes = items.flatMap((_, index) => judged[index] ?? told.next().value ?? [])
  return { ...answer, outcomes }
}

interface Shared {
  indexes: readonly number[]
}

/**
 * What is known of items before a call: those unfit by themselves are refused, and those that are
 * unfit only together, as one profile, go apart.
 */
export function judgeItems<Item, Place extends Shared>(
  items: readonly Item[],
  unfit: (item: Item) => Outcome | undefined,
  places: { of(items: readonly Item[]): Place[]; unfit(place: Place): Outcome | undefined },
): (Outcome | undefined)[] {
  const judged = items.map(unfit)
  const fitIndexes = items.flatMap((_, index) => (judged[index] === undefined ? [index] : []))
  const fit = items.filter((_, index) => judged[index] === undefined)
  for (const place of places.of(fit)) {
    const outcome = place.indexes.length > 1 ? places.unfit(place) : undefined
    for (const index of place.indexes) judged[fitIndexes[index] ?? -1] = outcome
  }
  return judged
}
