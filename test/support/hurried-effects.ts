import { realEffects, type Effects } from '../../src/effects.js'

/** A task waits for nothing longer. */
const longestMs = 5_000

/** Time that goes on at once by what a task of the shop waits for. */
export function hurriedEffects(): Pick<Effects, 'after' | 'now' | 'steadyMs'> {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    steadyMs: () => performance.now() + aheadMs,
    after(ms, callback, options) {
      if (ms > longestMs || options?.isBackground) return realEffects.after(ms, callback, options)
      const turn = setImmediate(() => {
        aheadMs += ms
        callback()
      })
      return () => clearImmediate(turn)
    },
  }
}
