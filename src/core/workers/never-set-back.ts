import type { Effects } from '../effects.js'

/** A wall clock that is further ahead than this was set, or the machine slept. */
const leastStepMs = 1_000

/**
 * A clock for the waits of a process. It goes on when the wall clock is set back, and follows it when that
 * jumps ahead, because a steady clock stops while the machine sleeps.
 */
export function neverSetBack({
  now,
  steadyMs,
}: Pick<Effects, 'now' | 'steadyMs'>): Pick<Effects, 'now'> {
  let begin = now().getTime() - steadyMs()
  return {
    now() {
      const time = begin + steadyMs()
      const aheadMs = now().getTime() - time
      if (aheadMs <= leastStepMs) return new Date(time)
      begin += aheadMs
      return new Date(time + aheadMs)
    },
  }
}
