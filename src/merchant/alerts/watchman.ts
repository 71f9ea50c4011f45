import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import type { Shop } from '../../core/shop.js'
import type { Deliverer } from '../../core/workers/deliverer.js'
import type { Step, Worker } from '../../core/workers/worker.js'
import {
  isAhead,
  isPutOff,
  stateIn,
  stateWhenSent,
  stateWhileSent,
  stateWithNews,
  stateWithReminder,
  messagesIn,
  type Message,
} from './channel-state.js'
import type { Alert, Channel, ChannelState } from './alert.js'
import { isWatched, type AlertSettings } from './alert-settings.js'
import type { AlertStore, StateChange, Round } from './alert-store.js'
import { rulesOf, type Conditions } from './conditions.js'
import { decideAlerts, digestDue } from './decide-alerts.js'
import type { ReadMatters } from './open-matters.js'
import { channelsOf, contentOf, type SendMessage } from './send-message.js'

const watchEveryMs = 60_000
const pruneEveryMs = 60 * 60_000

const keptMs = 90 * 24 * 60 * 60_000

export interface Watch {
  conditions: Conditions
  deliverer: Pick<Deliverer, 'isLeaseHeld'>
  readMatters: ReadMatters
  settings: () => Promise<AlertSettings>
  store: AlertStore
  send: SendMessage
}

interface Telling {
  settings: AlertSettings
  round: Round
}

const place = 'storeconnect:alerts'

const roundSchema = z.object({ checkedAt: storedMoment })

/** When the watchman last went round; undefined when never. */
export const readLastRound = (store: KeyValueStore) => readStored(store, place, roundSchema)

/**
 * Reads the conditions once a minute, in the process that delivers, and tells each channel. Ids are made of what
 * happened, and each write carries the lease, so that kills and takeovers repeat nothing.
 */
export function createWatchman(
  shop: Shop,
  { conditions, deliverer, readMatters, settings: readAlertSettings, store, send }: Watch,
): Worker {
  const { payload, options, effects, log } = shop
  const { timezone } = options
  let roundAt = 0
  let pruneAt = 0

  async function goRound(): Promise<void> {
    const now = effects.now()
    const settings = await readAlertSettings()
    const isLeaseHeld = deliverer.isLeaseHeld()
    if (isWatched(settings) && isLeaseHeld !== undefined)
      await watch(settings, { now, isLeaseHeld })
    roundAt = now.getTime() + watchEveryMs
  }

  async function watch(settings: AlertSettings, round: Round): Promise<void> {
    const { now } = round
    const current = await store.current()
    const matters = await readMatters(settings, { now, alerts: current })
    const states = Object.fromEntries(matters.map(({ name, state }) => [name, state]))
    const channels = channelsOf(settings)
    const rules = rulesOf(conditions, settings, timezone)
    await store.apply(decideAlerts(states, current, { now, rules, channels }), round)
    const alerts = await store.current()
    await Promise.all(channels.map((channel) => tell(channel, alerts, { settings, round })))
    if (!isAhead(pruneAt, pruneEveryMs, now)) {
      await store.prune(new Date(now.getTime() - keptMs), round)
      pruneAt = now.getTime() + pruneEveryMs
    }
    await payload.kv.set(place, { checkedAt: now.toISOString() })
  }

  /** Each channel is told in order: while a message cannot be sent, the later ones wait. */
  async function tell(channel: Channel, alerts: readonly Alert[], telling: Telling): Promise<void> {
    const written = await eachWritten(alerts, { channel, ...telling.round }, (alert) =>
      stateWithNews(alert, channel),
    )
    const latest = alerts.map((alert) => written.find(({ id }) => id === alert.id) ?? alert)
    const waiting = messagesIn(latest, channel)
    const messages = waiting.length > 0 ? waiting : await remind(channel, latest, telling)
    for (const message of messages) {
      if (isPutOff(message, effects.now()) || !(await trySend(message, telling))) return
    }
  }

  /** The reminder of the day, if it is due and the channel had none yet. */
  async function remind(
    channel: Channel,
    alerts: readonly Alert[],
    { settings, round }: Telling,
  ): Promise<Message[]> {
    if (!settings.digest) return []
    const open = alerts.filter(({ endedAt }) => endedAt === undefined)
    const due = digestDue(open, { now: round.now, hour: settings.digestHour, timezone })
    if (due === undefined) return []
    const { day } = due
    if (alerts.some((alert) => stateIn(alert, channel).reminded === day)) return []
    const reminded = await eachWritten(due.alerts, { channel, ...round }, (alert) =>
      stateWithReminder(alert, channel, { day, now: round.now }),
    )
    return messagesIn(reminded, channel)
  }

  async function trySend(message: Message, { settings, round }: Telling): Promise<boolean> {
    const { id, channel } = message
    const begun = { channel, now: effects.now(), isLeaseHeld: round.isLeaseHeld }
    const claimed = await eachWritten(message.alerts, begun, (alert) =>
      stateWhileSent(stateIn(alert, channel), begun.now),
    )
    if (claimed.length === 0) return false
    const error = await send(
      { id, channel, content: contentOf({ ...message, alerts: claimed }) },
      settings,
    )
    const now = effects.now()
    const settled = await eachWritten(claimed, { channel, now }, (alert) =>
      stateWhenSent(stateIn(alert, channel), { error, now }),
    )
    if (error === undefined) log.info({ message: id }, 'An alert was sent')
    else if (messagesIn(settled, channel).length > 0) {
      log.warn({ message: id, error }, 'An alert could not be sent and is tried again')
    } else {
      log.error({ message: id, error }, 'An alert could not be sent for a day and was given up')
    }
    return error === undefined
  }

  /** The alerts whose next state could be stored, with it. */
  async function eachWritten(
    alerts: readonly Alert[],
    write: Omit<StateChange, 'state'>,
    nextState: (alert: Alert) => ChannelState | undefined,
  ): Promise<Alert[]> {
    const written: Alert[] = []
    for (const alert of alerts) {
      const state = nextState(alert)
      const stored = state && (await store.writeState(alert, { ...write, state }))
      if (stored) written.push(stored)
    }
    return written
  }

  return {
    name: 'alerts',
    next: (): Promise<Step> =>
      Promise.resolve(
        isAhead(roundAt, watchEveryMs, effects.now())
          ? { nextAt: new Date(roundAt) }
          : { run: goRound },
      ),
  }
}
