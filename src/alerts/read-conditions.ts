import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { Log } from '../database/log.js'
import type { DeliveryStatus } from '../delivery/deliverer.js'
import { refusedPause } from '../delivery/key-refusal.js'
import { ofAnyKind, type SendTable } from '../delivery/send-table.js'
import { sendKinds } from '../delivery/send.js'
import { readLastTest } from '../klaviyo/connection-test.js'
import type { MarketingSettings } from '../klaviyo/marketing-settings.js'
import { isFailureOf, skippedOrdersSlug } from '../shipping/export/skipped-orders.js'
import type { Pull } from '../shipping/platform-visits.js'
import type { ShippingSettings } from '../shipping/shipping-settings.js'
import type { AlertSettings } from './alert-settings.js'
import { conditionNames, countedAtMost, type AlertFacts, type Condition } from './conditions.js'
import type { Reading, Readings } from './decide-alerts.js'
import type { WaitingOrdersReader } from './waiting-orders.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The oldest sends of each kind that are looked at. */
const oldestSendsRead = 1_000

export interface ConditionParts {
  payload: BasePayload
  sends: SendTable
  waitingOrders: WaitingOrdersReader
  shippingSettings: () => Promise<ShippingSettings>
  marketingSettings: () => Promise<MarketingSettings>
  deliveryStatus: () => Promise<DeliveryStatus>
  lastPull: () => Promise<Pull | undefined>
  /** Checks orders again that were changed since they were skipped as incomplete. */
  recheck: () => Promise<void>
  log: Log
}

export interface Looking {
  settings: AlertSettings
  now: Date
  /** When ShipStation's credentials were last refused; undefined when that is not known. */
  refusedAt: Date | undefined
}

const no: Reading = { holds: false }
const yes = ({ count, since }: { count?: number; since?: Date | undefined }): Reading => ({
  holds: true,
  facts: {
    ...(count !== undefined && { count }),
    ...(since && { since: since.toISOString() }),
  } satisfies AlertFacts,
})

/** Reads each condition that the merchant wants to know about. */
export function createConditionReadings(parts: ConditionParts) {
  const { payload, sends, waitingOrders, log } = parts
  const { database } = sends

  /** Blank settings mean that the store does not use ShipStation. */
  const usesShipStation = async () => (await parts.shippingSettings()).username.trim() !== ''

  const read: Readonly<Record<Condition, (looking: Looking) => Promise<Reading>>> = {
    async noPull({ settings, now }) {
      if (!(await usesShipStation())) return no
      const allowedMs = settings.noPullHours * hourMs
      const since = (await parts.lastPull())?.at
      if (since !== undefined && now.getTime() - since.getTime() <= allowedMs) return no
      const until = since === undefined ? new Date(now.getTime() - allowedMs) : now
      const paid = settings.paidStatuses
      return (await waitingOrders.isWaitingForPull({ since, until, paid })) ? yes({ since }) : no
    },

    async unshipped({ settings, now }) {
      if (!(await usesShipStation())) return no
      const until = new Date(now.getTime() - settings.unshippedHours * hourMs)
      const found = await waitingOrders.unshipped({ until, paid: settings.paidStatuses })
      return found.count === 0 ? no : yes(found)
    },

    async credentialsRefused({ settings, now, refusedAt }) {
      // A pull shows that ShipStation knows the credentials, whoever else has tried others.
      const pulledAt = (await parts.lastPull())?.at
      if (pulledAt === undefined || refusedAt === undefined || refusedAt <= pulledAt) return no
      const quietMs = now.getTime() - pulledAt.getTime()
      return quietMs > settings.credentialsRefusedMinutes * minuteMs ? yes({ since: pulledAt }) : no
    },

    async keyRefused() {
      const status = await parts.deliveryStatus()
      const { keyProblem } = status
      if (keyProblem !== undefined) return keyProblem === 'missing' ? no : yes({})
      const { privateApiKey } = await parts.marketingSettings()
      const test = await readLastTest(payload, privateApiKey)
      const isAccepted = test?.refusal === undefined && test?.missingScopes.length === 0
      const refused = refusedPause({ ...status, lastTest: isAccepted ? test : undefined })
      return refused === undefined ? no : yes({ since: refused.since })
    },

    async sendsFailed() {
      const s = sends.as('s')
      const [row] = await database.rows(sql`select count(*) as "count" from (
        select 1 from ${sends.table} as "s" where ${ofAnyKind(s)} and ${s.state} = 'failed'
        limit ${countedAtMost}) as "failed"`)
      const count = Number(row?.count)
      return count === 0 ? no : yes({ count })
    },

    async sendsWaiting({ settings, now }) {
      const { keyProblem, pauses } = await parts.deliveryStatus()
      // Sends wait for a key, which is a condition of its own. A store without Klaviyo has none.
      if (keyProblem === 'missing') return no
      const isRefused = pauses.some(({ reason }) => reason === 'misconfigured')
      if (settings.keyRefused && (keyProblem !== undefined || isRefused)) return 'unknown'
      const since = await oldestWaiting()
      const before = now.getTime() - settings.sendsWaitingMinutes * minuteMs
      return since !== undefined && since.getTime() < before ? yes({ since }) : no
    },

    async ordersSkipped() {
      await parts.recheck()
      const skipped = database.table(skippedOrdersSlug)
      const [row] = await database.rows(sql`select count(*) as "count" from (
        select 1 from ${skipped} where ${isFailureOf(skipped)}
        limit ${countedAtMost}) as "skipped"`)
      const count = Number(row?.count)
      return count === 0 ? no : yes({ count })
    },
  }

  /** Since when the oldest send waits. Events of past orders wait for hours by nature. */
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
    const moments = rows.flatMap(({ since }) =>
      since === null ? [] : [new Date(String(since)).getTime()],
    )
    return moments.length === 0 ? undefined : new Date(Math.min(...moments))
  }

  /** A condition that cannot be read stays as it was, and the others are still read. */
  return async (looking: Looking): Promise<Readings> => {
    const readings = {} as Record<Condition, Reading>
    for (const condition of conditionNames) {
      if (!looking.settings[condition]) readings[condition] = 'off'
      else {
        readings[condition] = await read[condition](looking).catch((error: unknown) => {
          log.error({ err: error, condition }, 'A condition for alerts could not be read')
          return 'unknown' as const
        })
      }
    }
    return readings
  }
}
