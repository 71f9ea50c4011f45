/** Wakes one who waits, also one who is only about to. */
export interface WakeUp {
  wake: () => void
  /** Resolves at a wake since the last call, or after the time. */
  wait: (ms: number) => Promise<void>
}

/** `isBackground`: a process that has nothing else to do may end while somebody waits. */
export function createWakeUp({ isBackground = false } = {}): WakeUp {
  let isAwake = false
  let resolveWait: (() => void) | undefined
  return {
    wake() {
      isAwake = true
      resolveWait?.()
    },
    async wait(ms) {
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
