import type { TranslationKey } from '../../core/payload/label.js'

// The browser loads this file too.

export const stateNames = {
  counting: 'historyCounting',
  running: 'historyRunning',
  paused: 'historyPaused',
  cancelled: 'historyCancelled',
  done: 'historyDone',
  failed: 'historyFailed',
} as const satisfies Record<string, TranslationKey>

/** From 0 to 1; undefined until the orders are counted. */
export function shareDone({
  state,
  done,
  total,
}: {
  state: string
  done: number
  total: number | undefined
}): number | undefined {
  if (total === undefined) return undefined
  if (state === 'done') return 1
  // The run also reads orders that came after the count, so `done` may exceed `total`.
  return done / Math.max(total, done, 1)
}

/** Each is the key of a translated sentence. */
const passedOverReasons = [
  'historyNoEmail',
  'historyRecent',
  'historySwitchedOff',
  'historyKeptBack',
  'historyUnreadable',
] as const

export type PassedOverReason = (typeof passedOverReasons)[number]

/** A reason that applies to no order is absent. */
export type PassedOverCounts = Readonly<Partial<Record<PassedOverReason, number>>>

export function addReasons(
  counts: PassedOverCounts = {},
  reasons: readonly PassedOverReason[],
): PassedOverCounts {
  const sums: Partial<Record<PassedOverReason, number>> = { ...counts }
  for (const reason of reasons) sums[reason] = (sums[reason] ?? 0) + 1
  return sums
}

/** Always in the same order. */
export const reasonsThatApply = (counts: PassedOverCounts = {}) =>
  passedOverReasons
    .map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
