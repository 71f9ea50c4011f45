/** Wakes one who waits, also one who is only about to. */
export interface WakeUp {
  wake: () => void
  /** Resolves at a wake since the last call, when one of the others ends, or after the time. */
  wait(ms: number, others?: readonly Promise<unknown>[]): Promise<void>
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
    async wait(ms, others = []) {
      if (!isAwake) {
        let timer: NodeJS.Timeout | undefined
        const woken = new Promise<void>((resolve) => {
          resolveWait = resolve
          timer = setTimeout(resolve, ms)
          if (isBackground) timer.unref()
        })
        await Promise.race([woken, ...others])
        clearTimeout(timer)
        resolveWait = undefined
      }
      isAwake = false
    },
  }
}
