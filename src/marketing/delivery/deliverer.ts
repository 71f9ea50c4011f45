import { sleep } from '../../core/effects.js'
import type { Shop } from '../../core/shop.js'
import { logsAt, pausesOf } from './call-log.js'
import {
  openDeliverySession,
  type DeliverySession,
  type DeliveryTo,
  type Poll,
} from './delivery-session.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Leases } from './lease.js'
import type { Question } from './klaviyo-call.js'
import { createWakeUp } from '../../core/workers/wake-up.js'

/** How often a process looks whether another one has renewed its lease. */
const lookAgainMs = 500

/**
 * Sends waiting sends to Klaviyo while this process holds the lease (`docs/interface.md` (Delivery)).
 * A lease in the database ensures that only one process delivers. It polls only when its caller asks it to.
 */
export function createDeliverer(
  shop: Shop,
  { store, leases, ...to }: DeliveryTo & { store: DeliveryStore; leases: Leases },
) {
  const { effects, waits, log } = shop
  const { settings } = to
  const wakeUp = createWakeUp(effects, { isBackground: true })
  let session: DeliverySession | undefined

  /** Waits for the calls under way, then gives the lease back. */
  const giveBack = async (): Promise<void> => {
    const closing = session
    session = undefined
    await closing?.close()
  }

  /**
   * Takes the lease if it is free. Resolves to whether this process has it. With `patientUntil` it waits until
   * then to see whether the process that has it is still there.
   */
  const take = async ({ patientUntil }: { patientUntil?: Date } = {}): Promise<boolean> => {
    if (session?.isOpen()) return true
    await giveBack()
    const isPatient = () => patientUntil !== undefined && waits.now() < patientUntil
    let lease = await leases.take()
    const mark = leases.lastMark()
    while (lease === undefined && isPatient() && leases.lastMark() === mark) {
      await sleep(effects, lookAgainMs)
      lease = await leases.take()
    }
    if (lease === undefined) return false
    log.info({ epoch: lease.epoch }, 'This process delivers to Klaviyo')
    session = await openDeliverySession(shop, { ...to, store, lease, onChange: wakeUp.wake })
    return true
  }

  return {
    take,
    giveBack,

    /** Makes the next poll read what was stored, which it does without this within a second. */
    wake(): void {
      store.posted()
      session?.wake()
      wakeUp.wake()
    },

    /** Resolves when something was stored, when a call has ended, or after `ms` milliseconds. */
    wait: (ms: number): Promise<void> => wakeUp.wait(ms),

    /** Begins the calls that can be made now. Undefined when another process delivers. */
    async poll(): Promise<Poll | undefined> {
      if (!(await take())) return undefined
      const { privateApiKey } = await settings()
      return session?.poll(privateApiKey === '' ? undefined : privateApiKey)
    },

    /** Asks Klaviyo within its limits. Undefined when another process delivers, or without a key. */
    ask: async <Result>(question: Omit<Question<Result>, 'apiKey'>) => {
      const { privateApiKey: apiKey } = await settings()
      if (apiKey === '' || session?.isOpen() !== true) return undefined
      return session.ask({ ...question, apiKey })
    },

    /** Resolves when one of the calls under way ends, or at once when there is none. */
    async oneEnded(): Promise<void> {
      const running = session?.running ?? new Set<Promise<void>>()
      if (running.size > 0) await Promise.race(running)
    },

    /** Whether the clock of this process is behind that of the one that delivers. */
    isBehind: () => session === undefined && leases.isBehind(),

    /** True in a statement while this process delivers; undefined when it does not. */
    isLeaseHeld: () => session?.isLeaseHeld,

    /** Why there is no key, the calls that are paused now, and when a process last delivered. */
    async status() {
      const { keyProblem, privateApiKey } = await settings()
      const now = effects.now().getTime()
      const last = session?.logs() ?? (await leases.calls())
      const lastRunAt = last.at === undefined ? undefined : new Date(last.at)
      return { keyProblem, pauses: pausesOf(logsAt(now, last), privateApiKey, now), lastRunAt }
    },
  }
}

export type Deliverer = ReturnType<typeof createDeliverer>
export type DeliveryStatus = Awaited<ReturnType<Deliverer['status']>>
