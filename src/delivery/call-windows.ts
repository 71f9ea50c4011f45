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
  const windows = [
    { limit: burst, ms: burstWindowMs },
    { limit: steady, ms: steadyWindowMs },
  ].map(({ limit, ms }) => {
    const recent = calls.slice(placeAfter(calls, now - ms))
    const lastToLeave = recent.at(-limit) ?? now - ms
    return { free: limit - recent.length, nextAt: lastToLeave + ms }
  })
  return {
    free: Math.max(0, Math.min(...windows.map(({ free }) => free))),
    nextAt: Math.max(...windows.map(({ nextAt }) => nextAt)),
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
