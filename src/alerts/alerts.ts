import { randomUUID } from 'node:crypto'
import type { BasePayload } from 'payload'
import { lazy } from '../database/cached-reading.js'
import type { Log } from '../database/log.js'
import type { Clock } from '../workers/clock.js'
import type { Deliverer } from '../delivery/deliverer.js'
import type { LoginThrottle } from '../http/login-throttle.js'
import type { ShopNames } from '../orders/shop-names.js'
import { namedTry } from '../shipping/shipping-access.js'
import { channels, type Channel } from './alert-message.js'
import { isWatched, type AlertSettings } from './alert-settings.js'
import { createAlertStore } from './alert-store.js'
import { createAlertTexts } from './alert-texts.js'
import { createConditionReadings, type ConditionParts } from './read-conditions.js'
import { channelsOf, createSendMessage } from './send-message.js'
import { createWaitingOrders } from './waiting-orders.js'
import { createWatchman, readLastRound } from './watchman.js'

interface AlertsParts extends Omit<ConditionParts, 'waitingOrders' | 'deliveryStatus'> {
  payload: BasePayload
  settings: () => Promise<AlertSettings>
  names: ShopNames
  timezone: string
  deliverer: Pick<Deliverer, 'isLeaseHeld' | 'status'>
  /** Counts ShipStation's failed logins. */
  shippingThrottle: Pick<LoginThrottle, 'lastOfKind'>
  clock: Clock
  log: Log
}

/** What became of a test message in each channel: a code says why it was not sent. */
export type TestReport = Record<
  Channel,
  { is: 'off' } | { is: 'sent' } | { is: 'failed'; error: string }
>

/** The watchman, and what the overview, the settings and the health URL ask about it. */
export function createAlerts(parts: AlertsParts) {
  const { payload, settings, names, timezone, deliverer, shippingThrottle, clock, log } = parts
  const { database } = parts.sends
  const store = createAlertStore(database)
  // The texts need the languages of Payload, which are loaded when they are first used.
  const texts = lazy(() =>
    createAlertTexts(payload, { timezone, ordersSlug: names.collections.orders }),
  )
  const send = createSendMessage({ payload, texts, now: () => clock.now() })
  const watchman = createWatchman({
    kv: payload.kv,
    store,
    settings,
    read: createConditionReadings({
      ...parts,
      waitingOrders: createWaitingOrders({ database, names }),
      deliveryStatus: () => deliverer.status(),
    }),
    lastRefusal: () => shippingThrottle.lastOfKind(namedTry),
    send,
    isLeaseHeld: () => deliverer.isLeaseHeld(),
    timezone,
    clock,
    log,
  })

  return {
    watchman,

    /** The alerts that are open, and why messages could not be sent; nothing while nobody wants to know. */
    async state() {
      const current = await settings()
      if (!isWatched(current)) return { open: [], failures: [], checkedAt: undefined }
      const [open, failures, round] = await Promise.all([
        store.open(),
        store.failures(channelsOf(current)),
        readLastRound(payload),
      ])
      return { open, failures, checkedAt: round?.checkedAt }
    },

    /** Sends a message to each channel of the saved settings, once. */
    async sendTest(): Promise<TestReport> {
      const current = await settings()
      const used = channelsOf(current)
      const content = { type: 'test', at: clock.now().toISOString() } as const
      const id = `test-${randomUUID()}`
      const reports = await Promise.all(
        channels.map(async (channel) => {
          if (!used.includes(channel)) return [channel, { is: 'off' }]
          const error = await send({ id: `${id}-${channel}`, channel, content }, current)
          return [channel, error === undefined ? { is: 'sent' } : { is: 'failed', error }]
        }),
      )
      return Object.fromEntries(reports) as TestReport
    },
  }
}

export type Alerts = ReturnType<typeof createAlerts>
export type AlertState = Awaited<ReturnType<Alerts['state']>>
