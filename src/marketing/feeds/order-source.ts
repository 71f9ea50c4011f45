import { sql } from 'drizzle-orm'
import { consentSend } from '../consent/consent-send.js'
import { sendsSlug } from '../delivery/send-table.js'
import { column, type Database } from '../../core/database/database.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import { eventRows, orderEvents } from '../events/event-table.js'
import { changedRows, dayMs, type Source } from './feed.js'
import { reportEach } from './report-each.js'
import type { ContextOf } from './event-contexts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { Shop } from '../../core/shop.js'
import { happeningsOf, oneByOne } from '../../shop/orders/happening.js'
import { keysOfReport } from '../events/order-ids.js'
import type { OrderRecords } from './order-records.js'
import { orderSends } from '../events/event-sends.js'

/** Makes sends for the happenings that are not stored yet. */
export function createOrderSource(
  shop: Shop,
  { marketingSettings }: MarketingSettingsParts,
  { orders, contextOf }: { orders: OrderRecords; contextOf: ContextOf },
): Source {
  const { database, options } = shop
  const table = database.table(options.collections.orders)
  const rows = { table, at: column(table, 'updatedAt'), condition: reportedCondition(shop) }

  return {
    name: 'orders',
    quietMs: 0,
    firstBackMs: dayMs,
    changedAfter: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids, { since }) {
      const { builtInEvents, consentList } = await marketingSettings.get()
      const isWanted = eventRows(orderEvents).some(([event]) => builtInEvents[event])
      if (!isWanted && consentList === '') return { sends: [] }
      const page = await orders.readPage(ids)
      const facts = page.orders.map((record) => ({
        id: record.order.id,
        order: record.order,
        consent: record.consent,
        email: record.consentEmail || record.order.email,
        happenings: oneByOne(happeningsOf({ ...record, ...page.words, since })).map(
          (happening) => ({ happening, keys: keysOfReport(happening, record) }),
        ),
      }))
      const keys = facts.flatMap(({ happenings }) => happenings.flatMap((each) => each.keys))
      const stored = await storedKeys(database, keys)
      return reportEach(shop, facts, {
        hasFailed: page.hasFailed,
        about: ({ order: { reference } }) => ({ reference }),
        sentence: 'The events of an order failed',
        async make({ order, consent, email, happenings }) {
          const unsent = happenings
            .filter((each) => !each.keys.some((key) => stored.has(key)))
            .map(({ happening }) => happening)
          const context = await contextOf({ siteId: order.siteId })
          const events = await orderSends(order, unsent, context)
          const isNew = consentList !== '' && unsent.some(({ kind }) => kind === 'placed')
          const about = { order, email, list: consentList, ...context }
          const own = isNew ? await consentSend(consent, about) : undefined
          const sends = own === undefined ? events : [...events, own]
          return { sends, account: order.customerId }
        },
      })
    },
  }
}

async function storedKeys(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlySet<unknown>> {
  if (keys.length === 0) return new Set()
  const sends = database.table(sendsSlug)
  const key = column(sends, 'key')
  const rows = await database.rows(
    sql`select ${key} as "key" from ${sends} where ${database.isOneOf(key, keys)}`,
  )
  return new Set(rows.map((row) => row.key))
}
