import type { Shop } from '../../core/shop.js'
import type { Rest } from '../../core/workers/worker.js'

/** What a step beside the sends did: something, nothing, or nothing before a moment (in milliseconds since 1970). */
export type Did = 'something' | 'nothing' | number

/** What a call that failed waits for, when nobody says how long. */
const pauseMs = 5_000

/** How long at most until it is looked for what other processes have stored. */
const pollEveryMs = 1_000

/** When to ask Klaviyo again after a call that brought no answer. */
export function putOff(
  { waits }: Pick<Shop, 'waits'>,
  answer: { putOffUntil?: number } | undefined,
): number {
  const now = waits.now().getTime()
  return Math.max(answer?.putOffUntil ?? now + pauseMs, now + 1)
}

/** Rests until the next of these steps can be made. */
export function restAfter(rest: Rest, did: readonly Did[]): void {
  const moments = did.filter((each) => typeof each === 'number')
  if (did.includes('something')) rest.for(0)
  else rest.until(Math.min(rest.now() + pollEveryMs, ...moments))
}
