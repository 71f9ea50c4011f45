import { sleep } from '../effects.js'
import type { Shop } from '../shop.js'

/** The waits before each look for something to deliver. A hook runs before its save is committed, so there are two. */
const looksAfterMs = [100, 1_000]

/**
 * Long enough to wait for the lease of a killed process (nine seconds) and deliver what it left; the rest is for
 * the next request.
 */
const longestMs = 30_000

/** While requests keep coming, this is how often they look for what has become due by itself. */
const clockEveryMs = 30_000

interface AfterResponseSetup {
  /** Delivers until nothing is due, unless another process delivers: that one finds what is stored by itself. */
  deliver: (deadline: Date) => Promise<unknown>
  /** Stores what is still in memory. */
  flush: () => Promise<void>
}

/**
 * Asks a host that stops processes between requests to wait for the delivery. Where it cannot, another request
 * delivers.
 */
export function createAfterResponse({ effects, log }: Shop, setup: AfterResponseSetup) {
  const { deliver, flush } = setup
  let isWoken = false
  let work: Promise<void> | undefined
  let workedAt = -Infinity

  async function lookAgain(): Promise<void> {
    const end = effects.steadyMs() + longestMs
    const deadline = new Date(effects.now().getTime() + longestMs)
    for (let look = 0; look < looksAfterMs.length; look++) {
      await sleep(effects, looksAfterMs[look] ?? 0)
      if (effects.steadyMs() >= end) return
      isWoken = false
      await deliver(deadline)
      if (isWoken) look = -1
    }
  }

  const wake = (): void => {
    isWoken = true
    work ??= lookAgain()
      .catch((error: unknown) => {
        log.error({ err: error }, 'The delivery failed and will try again')
      })
      .finally(() => {
        work = undefined
        workedAt = effects.steadyMs()
      })
    keepRunning(work)
  }

  return {
    /** Something was stored or saved. */
    wake,

    /** A request was answered. */
    answered(): void {
      keepRunning(flush())
      if (effects.steadyMs() - workedAt > clockEveryMs) wake()
    },
  }
}

/** Where a host puts what it knows of the present request. Next.js passes it on to `after()`. */
const contextNames = ['@next/request-context', '@vercel/request-context']

type RequestContext = { get?: () => { waitUntil?: (work: Promise<unknown>) => void } | undefined }

/** Asks the host not to stop this process before the work has ended. */
function keepRunning(work: Promise<unknown>): void {
  const held = globalThis as unknown as Record<symbol, RequestContext | undefined>
  for (const name of contextNames) {
    const waitUntil = held[Symbol.for(name)]?.get?.()?.waitUntil
    if (waitUntil !== undefined) return waitUntil(work)
  }
}
