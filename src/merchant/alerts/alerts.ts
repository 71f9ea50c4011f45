import { lazy, type Once } from '../../core/database/cached-value.js'
import type { Shop } from '../../core/shop.js'
import { channels, type Channel } from './alert.js'
import { isWatched } from './alert-settings.js'
import { createAlertStore } from './alert-store.js'
import { createAlertTexts } from './alert-texts.js'
import { snoozeMs } from './decide-alerts.js'
import { openMatters } from './open-matters.js'
import { channelsOf, createSendMessage } from './send-message.js'
import { createWatchman, readLastRound, type Watch } from './watchman.js'

/** What became of a test message in each channel: a code says why it was not sent. */
export type TestReport = Record<
  Channel,
  { is: 'off' } | { is: 'sent' } | { is: 'failed'; error: string }
>

/** The watchman, and what the overview, the settings and the health URL ask about it. */
export function createAlerts(shop: Shop, watch: Omit<Watch, 'store' | 'send'>) {
  const { payload, database, effects } = shop
  const { conditions, readMatters, settings } = watch
  const store = createAlertStore(database)
  // The texts need the languages of Payload, which are loaded when they are first used.
  const texts = lazy(() => createAlertTexts(shop, conditions))
  const send = createSendMessage(shop, texts)
  const watchman = createWatchman(shop, { ...watch, store, send })

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

    /** What is open at this moment, and the first steps, whether anybody is told or not. */
    async matters(once?: Once) {
      const current = await settings()
      const now = effects.now()
      const alerts = isWatched(current) ? await store.current() : []
      return openMatters(await readMatters(current, { now, alerts }, once), { now, alerts })
    },

    /** Puts off an alert for a day. False when there is none with this id that holds. */
    snooze: (id: string): Promise<boolean> =>
      store.snooze(id, new Date(effects.now().getTime() + snoozeMs)),

    /** Sends a message to each channel of the saved settings, once. */
    async sendTest(): Promise<TestReport> {
      const current = await settings()
      const used = channelsOf(current)
      const content = { type: 'test', at: effects.now().toISOString() } as const
      const id = `test-${effects.uuid()}`
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
