/** Time, randomness and the network: server code reaches them only here, so that a test can replace them. */
export interface Effects {
  /** The wall clock. Somebody may set it, also back. */
  now(this: void): Date
  /** Milliseconds of a clock that nobody can set. Only differences mean something. */
  steadyMs(this: void): number
  /**
   * Calls back once, `ms` milliseconds from now. Returns what takes that back. With `isBackground` the
   * process may end before.
   */
  after(
    this: void,
    ms: number,
    callback: () => void,
    options?: { isBackground?: boolean },
  ): () => void
  /** A signal that aborts `ms` milliseconds from now. */
  deadline(this: void, ms: number): AbortSignal
  /** At least 0 and less than 1, for jitter. */
  random(this: void): number
  /** Bytes that nobody can guess, for ids and tokens. */
  randomBytes(this: void, count: number): Uint8Array
  uuid(this: void): string
  fetch: typeof fetch
}

export const realEffects: Effects = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
  after(ms, callback, { isBackground = false } = {}) {
    const timer = setTimeout(callback, ms)
    if (isBackground) timer.unref()
    return () => clearTimeout(timer)
  },
  deadline: (ms) => AbortSignal.timeout(ms),
  random: Math.random,
  // Not of `node:crypto`, which a proxy on Next.js 15 does not have.
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  uuid: () => crypto.randomUUID(),
  // Looked up at each call, so that a store may wrap the global one.
  fetch: (input, init) => fetch(input, init),
}

/** Calls back every `ms` milliseconds. Returns what ends that. The process may end before. */
export function every(
  { after }: Pick<Effects, 'after'>,
  ms: number,
  callback: () => void,
): () => void {
  const again = () =>
    after(
      ms,
      () => {
        cancel = again()
        callback()
      },
      { isBackground: true },
    )
  let cancel = again()
  return () => cancel()
}

/** Resolves `ms` milliseconds from now. */
export const sleep = ({ after }: Pick<Effects, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void after(ms, resolve))

/** A wall clock that is further ahead than this was set, or the machine slept. */
const leastStepMs = 1_000

/**
 * A clock for waits: it ignores that the wall clock is set back, and follows a jump ahead, as after a machine's
 * sleep.
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
