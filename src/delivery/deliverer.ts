import type { MarketingPlatform } from '../marketing/platform.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Log } from '../store/log.js'
import type { Database } from '../store/payload/database.js'
import type { SettingsSource } from '../store/settings-source.js'
import { pausesOf, type CallPause } from './call-pause.js'
import type { Clock } from './clock.js'
import { openDeliverySession, type DeliverySession, type WholeLook } from './delivery-session.js'
import { createDeliveryStore } from './delivery-store.js'
import { createLeases } from './lease.js'

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
export interface Deliverer {
  /** Whether this process has the lease, or could take it. */
  take(): Promise<boolean>
  /** Something was stored: the next look finds it. Without that it is found within a second. */
  wake(): void
  /** Begins the calls that can be made now; undefined when another process delivers. */
  look(): Promise<WholeLook | undefined>
  /** Resolves when one of the calls under way ends; at once when there is none. */
  oneEnded(): Promise<void>
  /** Waits for the calls under way, and lets another process deliver. */
  giveBack(): Promise<void>
  status(): Promise<DeliveryStatus>
}

/** @param onChange Called when a call has ended: what comes behind it may go now. */
export function createDeliverer(parts: DelivererParts, onChange = () => {}): Deliverer {
  const { database, platform, settings, log, clock } = parts
  const random = parts.random ?? Math.random
  const deadline = parts.deadline ?? ((ms) => AbortSignal.timeout(ms))
  const leases = createLeases(database)
  const store = createDeliveryStore(database)
  let session: DeliverySession | undefined

  const giveBack = async (): Promise<void> => {
    const closing = session
    session = undefined
    await closing?.close()
  }

  const apiKey = async (): Promise<string | undefined> => {
    const { privateApiKey } = await settings.marketing()
    return privateApiKey === '' ? undefined : privateApiKey
  }

  const deliverer: Deliverer = {
    async take() {
      if (session?.isOpen()) return true
      await giveBack()
      const lease = await leases.take()
      if (lease === undefined) return false
      log.info({ epoch: lease.epoch }, 'This process delivers to the marketing platform')
      session = await openDeliverySession({
        store,
        lease,
        platform,
        log,
        clock,
        random,
        deadline,
        onChange,
      })
      return true
    },
    wake: () => session?.wake(),
    async look() {
      return (await deliverer.take()) ? session?.look(await apiKey()) : undefined
    },
    async oneEnded() {
      const running = session?.running ?? new Set<Promise<void>>()
      if (running.size > 0) await Promise.race(running)
    },
    giveBack,
    async status() {
      const { keyProblem, privateApiKey } = await settings.marketing()
      const logs = session?.logs() ?? (await leases.calls())
      return { keyProblem, pauses: pausesOf(logs, privateApiKey, clock.now().getTime()) }
    },
  }
  return deliverer
}
