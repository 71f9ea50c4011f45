import type { CallLimits } from '../marketing/platform.js'

/**
 * The platform counts calls in fixed windows of a second and of a minute whose phase nobody knows. No
 * more calls than the limit in the last second and the last minute can exceed none of them, and loses
 * no throughput. The windows are a little wider here: calls do not all travel equally fast.
 */
const burstWindowMs = 1_000 + 100
const steadyWindowMs = 60_000 + 200

/** How many calls may start now after those that were made, and when the next one may. */
export function roomInWindows(
  calls: readonly number[],
  { burst, steady }: Pick<CallLimits, 'burst' | 'steady'>,
  now: number,
): { free: number; nextAt: number } {
  const second = calls.slice(placeAfter(calls, now - burstWindowMs))
  const minute = calls.slice(placeAfter(calls, now - steadyWindowMs))
  const burstLeaves = second.at(-burst) ?? 0
  const steadyLeaves = minute.at(-steady) ?? 0
  return {
    free: Math.max(0, Math.min(burst - second.length, steady - minute.length)),
    nextAt: Math.max(now, burstLeaves + burstWindowMs, steadyLeaves + steadyWindowMs),
  }
}

/** The calls with some more made now, without those that no window sees any more. */
export function withCalls(calls: readonly number[], now: number, count: number): number[] {
  const place = placeAfter(calls, now)
  const seen = calls.slice(placeAfter(calls, now - steadyWindowMs), place)
  return [...seen, ...Array<number>(count).fill(now), ...calls.slice(place)]
}

const placeAfter = (calls: readonly number[], moment: number): number =>
  calls.findLastIndex((at) => at <= moment) + 1
