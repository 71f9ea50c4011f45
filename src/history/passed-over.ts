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

export function addReasons(
  counts: PassedOverCounts = {},
  reasons: readonly PassedOverReason[],
): PassedOverCounts {
  const sums: Partial<Record<PassedOverReason, number>> = { ...counts }
  for (const reason of reasons) sums[reason] = (sums[reason] ?? 0) + 1
  return sums
}

/** The reasons that apply, always in the same order. */
export const reasonsThatApply = (counts: PassedOverCounts = {}) =>
  passedOverReasons
    .map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
