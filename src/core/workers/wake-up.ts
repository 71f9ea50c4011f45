import type { Effects } from '../effects.js'

/** A wait that another part can end early. With `isBackground` the process may exit meanwhile. */
export function createWakeUp({ after }: Pick<Effects, 'after'>, { isBackground = false } = {}) {
  let isAwake = false
  let resolveWait: (() => void) | undefined
  return {
    wake(this: void): void {
      isAwake = true
      resolveWait?.()
    },
    /** Resolves at the next wake, at once after an earlier one, or after `ms` milliseconds. */
    async wait(ms: number): Promise<void> {
      if (!isAwake) {
        let cancel = (): void => undefined
        await new Promise<void>((resolve) => {
          resolveWait = resolve
          cancel = after(ms, resolve, { isBackground })
        })
        cancel()
        resolveWait = undefined
      }
      isAwake = false
    },
  }
}
