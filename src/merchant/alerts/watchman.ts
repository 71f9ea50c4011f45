import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import { namedTry } from '../../shipping/shipping-access.js'
import type { Shop } from '../../core/shop.js'
import type { Step, Worker } from '../../core/workers/worker.js'
import { digestOf, type StoredMessage } from './alert-message.js'
import { isWatched, type AlertSettings } from './alert-settings.js'
import type { AlertStore, Round } from './alert-store.js'
import { rulesOf } from './conditions.js'
import { decideAlerts } from './decide-alerts.js'
import { digestDue } from './digest.js'
import { createConditionReadings, later, type Watched } from './read-conditions.js'
import { channelsOf, type SendMessage } from './send-message.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often the conditions are read, and the messages that are due are sent. */
const watchEveryMs = minuteMs

/** Minutes until a message is tried again, after each failure; after the last, once an hour. */
const retryMinutes = [1, 2, 5, 15, 30, 60]

/** How long a message is tried. */
const tryForMs = dayMs

/** How long alerts and messages stay after they are over. */
const keptMs = 90 * dayMs
const pruneEveryMs = hourMs

interface Watch {
  /** What is watched. */
  watched: Watched
  settings: () => Promise<AlertSettings>
  store: AlertStore
  send: SendMessage
}

const place = 'storeconnect:alerts'

const roundSchema = z.object({
  checkedAt: storedMoment,
  refusedAt: z.optional(storedMoment),
})

/** When the watchman last went round; undefined when never. */
export const readLastRound = (store: KeyValueStore) => readStored(store, place, roundSchema)

/**
 * Goes round once a minute, in the process that delivers: reads the conditions, stores what has begun
 * and ended with its messages, and sends those. What it stores has ids made of what happened, and each
 * write carries the lease, so that kills and takeovers repeat nothing.
 */
export function createWatchman(
  shop: Shop,
  { watched, settings: readAlertSettings, store, send }: Watch,
): Worker {
  const { payload, options, effects, log } = shop
  const { timezone } = options
  const read = createConditionReadings(shop, watched)
  let roundAt = 0
  let pruneAt = 0

  async function goRound(): Promise<void> {
    const now = effects.now()
    const settings = await readAlertSettings()
    const isLeaseHeld = watched.deliverer.isLeaseHeld()
    if (isWatched(settings) && isLeaseHeld !== undefined)
      await watch(settings, { now, isLeaseHeld })
    roundAt = now.getTime() + watchEveryMs
  }

  async function watch(settings: AlertSettings, round: Round): Promise<void> {
    const { now } = round
    const lastRefusal = await watched.shippingThrottle.lastOfKind(namedTry)
    const refusedAt = later((await readLastRound(payload))?.refusedAt, lastRefusal)
    const current = await store.current()
    const readings = await read({ settings, now, refusedAt, current })
    const rules = rulesOf(settings, timezone)
    await store.apply(decideAlerts(readings, current, { now, rules }), round)
    await store.noteMessages(channelsOf(settings), round)
    await queueDigest(settings, round)
    await sendDue(settings, round)
    await giveUp(round)
    if (!isAhead(pruneAt, pruneEveryMs, now)) {
      await store.prune(new Date(now.getTime() - keptMs), round)
      pruneAt = now.getTime() + pruneEveryMs
    }
    await payload.kv.set(place, {
      checkedAt: now.toISOString(),
      ...(refusedAt && { refusedAt: refusedAt.toISOString() }),
    })
  }

  async function queueDigest(settings: AlertSettings, round: Round): Promise<void> {
    if (!settings.digest) return
    const about = { now: round.now, hour: settings.digestHour, timezone }
    const due = digestDue(await store.open(), about)
    if (due === undefined) return
    await store.queue(digestOf({ ...due, at: round.now }, channelsOf(settings)), round)
  }

  /** Each channel sends in order: while a message cannot be sent, the later ones wait. */
  async function sendDue(settings: AlertSettings, round: Round): Promise<void> {
    await Promise.all(
      channelsOf(settings).map(async (channel) => {
        for (const message of await store.unsent(channel)) {
          const isBeginTold = await wasBeginTold(message)
          if (isBeginTold === 'never') await store.discard(message, round)
          if (isBeginTold !== 'yes') continue
          if (isPutOff(message, effects.now()) || !(await trySend(message, settings, round))) return
        }
      }),
    )
  }

  /**
   * Whether the channel has told, by an earlier message or a digest, that the condition held. Otherwise it
   * does not tell that the condition is over.
   */
  async function wasBeginTold({
    channel,
    content,
  }: StoredMessage): Promise<'yes' | 'not yet' | 'never'> {
    if (!('alert' in content) || content.after === undefined) return 'yes'
    const state = await store.stateOf(content.after)
    if (state === 'sent') return 'yes'
    if (state === 'queued' || state === 'sending') return 'not yet'
    return (await store.wasHeard(channel, content.alert)) ? 'yes' : 'never'
  }

  /** True when the message was sent. */
  async function trySend(
    message: StoredMessage,
    settings: AlertSettings,
    round: Round,
  ): Promise<boolean> {
    const { id, attempts } = message
    const minutes = minutesAfter(attempts)
    const nextAttemptAt = new Date(effects.now().getTime() + minutes * minuteMs)
    if (!(await store.claim(message, { ...round, nextAttemptAt }))) return false
    const error = await send(message, settings)
    await store.settle(message, { error, now: effects.now() })
    if (error === undefined) log.info({ message: id }, 'An alert was sent')
    else log.warn({ message: id, error, minutes }, 'An alert could not be sent and is tried again')
    return error === undefined
  }

  async function giveUp(round: Round): Promise<void> {
    const before = new Date(round.now.getTime() - tryForMs)
    for (const { id, error } of await store.giveUp(before, round)) {
      log.error({ message: id, error }, 'An alert could not be sent for a day and was given up')
    }
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

/**
 * Whether a moment is still to come. One that is further ahead than anything waits was noted before the
 * clock was set back, and counts as past.
 */
const isAhead = (at: number, longestMs: number, now: Date): boolean =>
  at > now.getTime() && at <= now.getTime() + longestMs

const minutesAfter = (attempts: number): number =>
  retryMinutes[attempts] ?? retryMinutes.at(-1) ?? 0

const isPutOff = ({ attempts, dueAt }: StoredMessage, now: Date): boolean =>
  isAhead(dueAt.getTime(), attempts === 0 ? 0 : minutesAfter(attempts - 1) * minuteMs, now)
