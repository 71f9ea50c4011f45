import { sql } from 'drizzle-orm'
import { lazy } from '../../core/database/cached-reading.js'
import { column, momentOf } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { PauseReason } from '../../marketing/delivery/call-log.js'
import { keyRefusal } from '../../marketing/delivery/key-refusal.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { sendKinds } from '../../marketing/delivery/send.js'
import { revisionEndsFrom } from '../../marketing/klaviyo/ask-api.js'
import { readLastTest } from '../../marketing/klaviyo/connection-test.js'
import type { MarketingSettingsParts } from '../../marketing/settings/parts.js'
import { failedSends } from '../../marketing/delivery/failures.js'
import { readLastSentAt } from '../overview/read-overview.js'
import { endingStatuses } from '../../shop/orders/happening.js'
import type { Pull } from '../../shipping/pulls.js'
import { isFailureOf, skippedOrdersSlug } from '../../shipping/export/skipped-orders.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { Shop } from '../../core/shop.js'
import type { AlertSettings } from './alert-settings.js'
import { conditionNames, countedAtMost, ordersNamed, type Condition } from './conditions.js'
import type { Alert, AlertFacts } from './alert.js'
import type { Reading, Readings } from './decide-alerts.js'
import { createWaitingOrders } from './waiting-orders.js'
import { createWatchedPulls, type UnfinishedPull } from './watched-pulls.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The oldest sends of each kind that are looked at. */
const oldestSendsRead = 1_000

/** How many days a parcel of a cancelled order is reported, unless the merchant ends the order again. */
const reportedDays = 7

/** Events of Klaviyo's that a store may give to a status of its own that ends an order. */
const endingEvents: ReadonlySet<string> = new Set([
  'Cancelled Order',
  'Canceled Order',
  'Refunded Order',
])

/** What the features below have built, and what is watched in it. */
export type Watched = ShippingParts & MarketingSettingsParts & DeliveryParts

export interface ReadingContext {
  settings: AlertSettings
  now: Date
  /** When a login with ShipStation's username was last refused; undefined when that is not known. */
  refusedAt: Date | undefined
  /** The alerts that are not closed. */
  current: readonly Alert[]
}

/** What several conditions read, once a round. */
interface Round extends ReadingContext {
  unfinished: () => Promise<UnfinishedPull[]>
}

/** What was looked for is not found. */
const gone: Reading = { holds: false, over: { why: 'gone' } }

const pulled = (at: Date): Reading => ({
  holds: false,
  over: { why: 'pulled', at: at.toISOString() },
})

const holding = (facts: AlertFacts): Reading => ({ holds: true, facts })

const minutesAgo = (minutes: number, now: Date) => new Date(now.getTime() - minutes * minuteMs)

const askedOf = ({ asked, store }: Pull): Pick<AlertFacts, 'asked' | 'store'> => ({
  ...(asked !== undefined && { asked }),
  ...(store !== undefined && { store }),
})

const ofMoment = (since: Date | undefined) => since && { since: since.toISOString() }

/** The condition no longer holds by the present settings, but nothing was seen that ended it. */
const endedUnseen = (alert: Alert | undefined): Reading =>
  alert?.endedAt === undefined ? 'off' : 'unknown'

const alertOf = (condition: Condition, current: readonly Alert[]): Alert | undefined =>
  current.find((alert) => alert.condition === condition)

/** Whether ShipStation has asked since the pull that an alert is about, or for the first time. */
function hasPulledSince(alert: Alert | undefined, pulledAt: Date | undefined): pulledAt is Date {
  if (alert === undefined || pulledAt === undefined) return false
  const { since } = alert.facts
  return since === undefined || pulledAt > new Date(since)
}

const isAfter = (at: Date, other: Date | undefined) => other === undefined || at > other

export const later = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one !== undefined && other !== undefined ? (one > other ? one : other) : (one ?? other)

/** Reads each condition that the merchant wants to know about. */
export function createConditionReadings(shop: Shop, watched: Watched) {
  const { payload, database, options, log } = shop
  const { sends, shipStation } = watched
  const waitingOrders = createWaitingOrders(shop)
  const pulls = createWatchedPulls(shop)

  /** Blank settings mean that the store does not use ShipStation. */
  const usesShipStation = async () => (await watched.shippingSettings.get()).username.trim() !== ''

  const hoursAgo = async (
    hours: number,
    { settings, now }: Pick<ReadingContext, 'settings' | 'now'>,
  ): Promise<Date> => {
    if (!settings.businessDays) return new Date(now.getTime() - hours * hourMs)
    const { businessTimeAgo } = await import('./business-time.js')
    return businessTimeAgo(now, hours * hourMs, options.timezone)
  }

  const read: Readonly<Record<Condition, (context: Round) => Promise<Reading>>> = {
    async noPull({ settings, now, current }) {
      if (!(await usesShipStation())) return 'off'
      const late = await hoursAgo(settings.noPullHours, { settings, now })
      const since = (await shipStation.lastPull())?.at
      const alert = alertOf('noPull', current)
      const isLate = since === undefined || since < late
      const until = since === undefined ? late : now
      const paid = settings.paidStatuses
      const orders = isLate ? await waitingOrders.waitingForPull({ since, until, paid }) : []
      if (orders.length > 0) return holding({ ...ofMoment(since), orders })
      if (hasPulledSince(alert, since)) return pulled(since)
      return isLate ? gone : endedUnseen(alert)
    },

    async unshipped({ settings, now }) {
      if (!(await usesShipStation())) return 'off'
      const until = await hoursAgo(settings.unshippedHours, { settings, now })
      const found = await waitingOrders.unshipped({ until, paid: settings.paidStatuses })
      const { count, since, orders } = found
      return count === 0 ? gone : holding({ count, ...ofMoment(since), orders })
    },

    async windowStopped({ settings, now, current, unfinished }) {
      if (!(await usesShipStation())) return 'off'
      // An alert goes on until the window was asked for to its end.
      const alert = alertOf('windowStopped', current)
      const isReported = alert !== undefined && alert.endedAt === undefined
      const silentSince = minutesAgo(settings.windowStoppedMinutes, now)
      const stopped = (await unfinished()).filter(
        ({ isAskedAgain, lastRequestAt }) =>
          lastRequestAt <= silentSince && (isReported || !isAskedAgain),
      )
      const oldest = stopped.at(-1)
      if (oldest === undefined) return gone
      const { answeredTo: page, pages, lastRequestAt } = oldest
      const orders = await pulls.ordersBehind(oldest)
      const facts = { ...ofMoment(lastRequestAt), ...askedOf(oldest), page, pages, orders }
      return holding({ count: stopped.length, ...facts })
    },

    async firstPageOnly({ unfinished }) {
      if (!(await usesShipStation())) return 'off'
      const all = await unfinished()
      const [last] = all
      if (last === undefined || !(await pulls.isFirstPageOnly(all))) return gone
      const orders = await pulls.ordersBehind(last)
      return holding({ ...ofMoment(last.lastRequestAt), ...askedOf(last), orders })
    },

    async nothingFound({ settings, now }) {
      if (!(await usesShipStation())) return 'off'
      const until = new Date(now.getTime() - settings.nothingFoundHours * hourMs)
      const stores = await pulls.findingNothing(until)
      if (stores === undefined) return 'unknown'
      for (const { last, found } of stores) {
        const { storeField } = await watched.shippingSettings.get()
        const after = later(await pulls.firstAt(), found && new Date(found.at.getTime() - dayMs))
        if (last === undefined || after === undefined) continue
        const paid = settings.paidStatuses
        const outside = await waitingOrders.outsidePulls({ after, until, paid, storeField })
        const { orders, changedAt } = outside
        // Where pulls left orders out while they found others, the merchant does not ask for these.
        const isUsual = found !== undefined && changedAt !== undefined && changedAt < found.at
        if (orders.length > 0 && !isUsual) {
          return holding({ ...ofMoment(found?.at), ...askedOf(last), orders })
        }
      }
      return gone
    },

    async endedShipped({ now }) {
      if (!(await usesShipStation())) return 'off'
      const { statusEvents } = await watched.marketingSettings.get()
      const named = statusEvents.filter(({ event }) => endingEvents.has(event))
      const ended = [...endingStatuses, ...named.map(({ status }) => status)]
      const after = new Date(now.getTime() - reportedDays * dayMs)
      const orders = await waitingOrders.shippedAfterTheirEnd({ after, ended })
      const [first] = orders
      if (first === undefined) return gone
      const facts = {
        ...ofMoment(first.at),
        orders: orders.slice(0, ordersNamed).map(({ id, number }) => ({
          id,
          number,
        })),
      }
      return holding({ count: orders.length, ...facts })
    },

    async credentialsRefused({ settings, now, refusedAt, current }) {
      if (!(await usesShipStation())) return 'off'
      // A pull shows that ShipStation has the right credentials, even if somebody else tried wrong ones.
      const pulledAt = (await shipStation.lastPull())?.at
      const alert = alertOf('credentialsRefused', current)
      const quietMs = now.getTime() - (pulledAt?.getTime() ?? -Infinity)
      const isQuiet = quietMs > settings.credentialsRefusedMinutes * minuteMs
      if (refusedAt !== undefined && isAfter(refusedAt, pulledAt) && isQuiet) {
        return holding({ ...ofMoment(pulledAt), refusedAt: refusedAt.toISOString() })
      }
      return hasPulledSince(alert, pulledAt) ? pulled(pulledAt) : endedUnseen(alert)
    },

    async keyRefused({ current }) {
      const status = await watched.deliveryStatus()
      const { keyProblem } = status
      if (keyProblem === 'missing') return 'off'
      if (keyProblem !== undefined) return holding({ isKeyUnreadable: true })
      const { privateApiKey } = await watched.marketingSettings.get()
      const test = await readLastTest(payload, privateApiKey)
      const isAccepted = test?.refusal === undefined && test?.missingScopes.length === 0
      const lastTest = isAccepted ? test : undefined
      const refused = keyRefusal({ ...status, lastTest })
      if (refused !== undefined) return holding({ ...ofMoment(refused.since) })
      // An outage hides whether Klaviyo accepts the key, and a new key is not accepted before it is used.
      if (status.pauses.some(({ reason }) => reason === 'outage')) return 'unknown'
      return acceptedSince(alertOf('keyRefused', current), lastTest?.at)
    },

    async revisionEnds({ now, current }) {
      const { keyProblem, pauses } = await watched.deliveryStatus()
      if (keyProblem === 'missing') return 'off'
      const refused = pauses.find(({ reason }) => reason === 'retired')
      if (refused) return holding({ isRevisionRefused: true, ...ofMoment(refused.since) })
      if (now >= revisionEndsFrom) return holding({})
      return acceptedSince(alertOf('revisionEnds', current))
    },

    async sendsFailed() {
      const count = await database.count(failedSends(sends), countedAtMost)
      return count === 0 ? gone : holding({ count })
    },

    async sendsWaiting({ settings, now }) {
      const { keyProblem, pauses } = await watched.deliveryStatus()
      // Another condition tells of sends that wait for a key. A store without Klaviyo has no key.
      if (keyProblem === 'missing') return 'off'
      const isPaused = (why: PauseReason) => pauses.some(({ reason }) => reason === why)
      const isKeyTold =
        settings.keyRefused && (keyProblem !== undefined || isPaused('misconfigured'))
      if (isKeyTold || (settings.revisionEnds && isPaused('retired'))) return 'unknown'
      const since = await oldestWaiting()
      const before = now.getTime() - settings.sendsWaitingMinutes * minuteMs
      return since !== undefined && since.getTime() < before
        ? holding({ ...ofMoment(since) })
        : gone
    },

    async ordersSkipped() {
      await watched.recheckSkipped({ failuresOnly: true })
      const skipped = database.table(skippedOrdersSlug)
      const rows = await database.rows(sql`select ${column(skipped, 'order')} as "id",
          ${column(skipped, 'reference')} as "number"
        from ${skipped} where ${isFailureOf(skipped)} limit ${countedAtMost}`)
      const orders = rows
        .slice(0, ordersNamed)
        .map(({ id, number }) => ({ id: id as DocumentId, number: String(number ?? id) }))
      return rows.length === 0 ? gone : holding({ count: rows.length, orders })
    },
  }

  /** Klaviyo has taken something since the alert began. What no longer refuses need not have been asked. */
  async function acceptedSince(alert: Alert | undefined, testedAt?: Date): Promise<Reading> {
    if (alert === undefined) return gone
    const seenAt = later(testedAt, await readLastSentAt(sends))
    return seenAt !== undefined && seenAt > alert.begunAt ? gone : 'unknown'
  }

  /** Since when the oldest send waits. Events of past orders do not count: they may wait for hours. */
  async function oldestWaiting(): Promise<Date | undefined> {
    const s = sends.as('s')
    // A send that was resent, and not tried since, waits since then and not since it was accepted. A try
    // that Klaviyo refuses for a reason of its own has an error, but does not count as an attempt.
    const since = sql`case when ${s.attempts} = 0 and ${s.errorCode} is null
      then coalesce(${s.nextAttemptAt}, ${s.acceptedAt}) else ${s.acceptedAt} end`
    const oldest = sendKinds
      .filter((kind) => kind !== 'past-event')
      .flatMap((kind) =>
        ['queued', 'sending'].map(
          (state) => sql`select min("since") as "since" from (select ${since} as "since"
            from ${sends.table} as "s"
            where ${s.kind} = ${sql.raw(`'${kind}'`)} and ${s.state} = ${sql.raw(`'${state}'`)}
            order by ${s.id} limit ${oldestSendsRead}) as "oldest"`,
        ),
      )
    const rows = await database.rows(sql.join(oldest, sql` union all `))
    const moments = rows.flatMap(({ since }) => momentOf(since) ?? [])
    return moments.sort((one, other) => one.getTime() - other.getTime())[0]
  }

  /** A condition that cannot be read stays as it was, and the others are still read. */
  return async (given: ReadingContext): Promise<Readings> => {
    const readings = {} as Record<Condition, Reading>
    const { settings, now } = given
    const context: Round = {
      ...given,
      unfinished: lazy(() => pulls.unfinished(minutesAgo(settings.windowStoppedMinutes, now))),
    }
    for (const condition of conditionNames) {
      if (!context.settings[condition]) readings[condition] = 'off'
      else {
        readings[condition] = await read[condition](context).catch((error: unknown) => {
          log.error({ err: error, condition }, 'A condition for alerts could not be read')
          return 'unknown' as const
        })
      }
    }
    return readings
  }
}
