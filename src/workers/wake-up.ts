/**
 * A wait that another part of the process can end early. A wake before the wait ends the next wait at
 * once. With `isBackground` the process may exit while somebody waits.
 */
export function createWakeUp({ isBackground = false } = {}) {
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
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          resolveWait = resolve
          timer = setTimeout(resolve, ms)
          if (isBackground) timer.unref()
        })
        clearTimeout(timer)
        resolveWait = undefined
      }
      isAwake = false
    },
  }
}
