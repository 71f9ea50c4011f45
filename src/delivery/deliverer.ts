import type { MarketingPlatform } from '../marketing/platform.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Log } from '../store/log.js'
import type { Database } from '../store/payload/database.js'
import type { SettingsSource } from '../store/settings-source.js'
import { pausesOf, type CallPause } from './call-pause.js'
import type { Clock } from './clock.js'
import { openDeliverySession, type DeliverySession, type Look } from './delivery-session.js'
import { createDeliveryStore } from './delivery-store.js'
import { createLeases } from './lease.js'
import { createWakeUp } from './wake-up.js'

/** What the delivery is built of. */
export interface DelivererParts {
  database: Database
  platform: MarketingPlatform
  settings: Pick<SettingsSource, 'marketing'>
  log: Log
  clock: Clock
  /** From 0 up to 1. Default `Math.random`. */
  random?: () => number
  /** A signal that ends a call after so many milliseconds. Default `AbortSignal.timeout`. */
  deadline?: (ms: number) => AbortSignal
}

export interface DeliveryStatus {
  /** Why there is no key; undefined when there is one. */
  keyProblem: MarketingSettings['keyProblem']
  /** Calls that are not made at the moment, and why. */
  pauses: CallPause[]
}

/**
 * Brings waiting sends to the platform, while no other process does: a lease in the database says who.
 * Has no timers of its own for the sends: whoever runs it says when to look.
 */
export function createDeliverer(parts: DelivererParts) {
  const { database, settings, log, clock } = parts
  const { random = Math.random, deadline = (ms) => AbortSignal.timeout(ms) } = parts
  const leases = createLeases(database)
  const store = createDeliveryStore(database)
  const wakeUp = createWakeUp({ isBackground: true })
  let session: DeliverySession | undefined

  /** Waits for the calls under way, and lets another process deliver. */
  const giveBack = async (): Promise<void> => {
    const closing = session
    session = undefined
    await closing?.close()
  }

  /** Whether this process has the lease, or could take it. */
  const take = async (): Promise<boolean> => {
    if (session?.isOpen()) return true
    await giveBack()
    const lease = await leases.take()
    if (lease === undefined) return false
    log.info({ epoch: lease.epoch }, 'This process delivers to the marketing platform')
    const onChange = wakeUp.wake
    session = await openDeliverySession({ ...parts, store, lease, random, deadline, onChange })
    return true
  }

  return {
    take,
    giveBack,

    /** Something was stored: the next look finds it. Without that it is found within a second. */
    wake(): void {
      session?.wake()
      wakeUp.wake()
    },

    /** Until something was stored, a call has ended or the time is over. */
    wait: (ms: number): Promise<void> => wakeUp.wait(ms),

    /** Begins the calls that can be made now; undefined when another process delivers. */
    async look(): Promise<Look | undefined> {
      if (!(await take())) return undefined
      const { privateApiKey } = await settings.marketing()
      return session?.look(privateApiKey === '' ? undefined : privateApiKey)
    },

    /** Resolves when one of the calls under way ends; at once when there is none. */
    async oneEnded(): Promise<void> {
      const running = session?.running ?? new Set<Promise<void>>()
      if (running.size > 0) await Promise.race(running)
    },

    async status(): Promise<DeliveryStatus> {
      const { keyProblem, privateApiKey } = await settings.marketing()
      const logs = session?.logs() ?? (await leases.calls())
      return { keyProblem, pauses: pausesOf(logs, privateApiKey, clock.now().getTime()) }
    },
  }
}

export type Deliverer = ReturnType<typeof createDeliverer>
