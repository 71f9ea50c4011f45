/** Why nothing is told of a past order, each as the key of the sentence that says so. */
export const passedOverReasons = [
  'historyNoEmail',
  'historyRecent',
  'historySwitchedOff',
  'historyKeptBack',
  'historyUnreadable',
] as const

export type PassedOverReason = (typeof passedOverReasons)[number]

/** How many orders each reason applies to; one that applies to none is absent. */
export type PassedOverCounts = Readonly<Partial<Record<PassedOverReason, number>>>

export function countReasons(reasons: readonly PassedOverReason[]): PassedOverCounts {
  const counts: Partial<Record<PassedOverReason, number>> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

export const addCounts = (one: PassedOverCounts = {}, other: PassedOverCounts = {}) =>
  Object.fromEntries(
    passedOverReasons.flatMap((reason) => {
      const count = (one[reason] ?? 0) + (other[reason] ?? 0)
      return count > 0 ? [[reason, count]] : []
    }),
  ) as PassedOverCounts

/** The reasons that apply, always in the same order. */
export const reasonsThatApply = (
  counts: PassedOverCounts = {},
): { reason: PassedOverReason; count: number }[] =>
  passedOverReasons.flatMap((reason) => {
    const count = counts[reason] ?? 0
    return count > 0 ? [{ reason, count }] : []
  })

/** As a run keeps them. */
export const readCounts = (json: string): PassedOverCounts => JSON.parse(json) as PassedOverCounts
