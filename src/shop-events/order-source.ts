import { sql } from 'drizzle-orm'
import type { Order } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { column, type Database } from '../store/payload/database.js'
import { orderCondition } from '../store/payload/order-condition.js'
import { sendsSlug } from '../delivery/send-table.js'
import type { SettingsSource } from '../store/settings-source.js'
import { changedRows } from './changed-rows.js'
import type { EventContexts } from './event-context.js'
import type { Source } from './feed.js'
import type { Guard } from './guard.js'
import type { OrderHappening, StatusWords } from './happening.js'
import { happeningsOf, oneByOne } from './happenings-of.js'
import { keysOfReport } from './order-keys.js'
import { orderSends } from './order-sends.js'
import type { Attempt, ToldOrder, ToldOrders } from './told-orders.js'

export interface OrderSourceParts {
  database: Database
  options: Pick<ResolvedOptions, 'collections'>
  orders: ToldOrders
  contextOf: EventContexts
  settings: SettingsSource
  guard: Guard
}

/** What orders are told by; the others are of carts. */
const orderEvents = ['placedOrder', 'orderedProduct', 'statusChanged', 'refundedOrder'] as const

export function createOrderSource(parts: OrderSourceParts): Source {
  const { database, options, orders, contextOf, settings, guard } = parts
  const table = database.table(options.collections.orders)
  const rows = {
    table,
    at: column(table, 'updatedAt'),
    condition: orderCondition(table, { window: undefined, store: undefined }),
  }

  const composed = async (order: Order, happenings: readonly OrderHappening[]) =>
    (await guard(
      async () => orderSends(order, happenings, await contextOf({ siteId: order.siteId })),
      {
        about: () => ({ reference: order.reference }),
        sentence: 'The events of an order failed',
      },
    )) ?? []

  return {
    name: 'orders',
    quietMs: 0,
    firstBackMs: 24 * 60 * 60_000,
    changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids, { since }) {
      const { builtInEvents } = await settings.marketing()
      if (!orderEvents.some((event) => builtInEvents[event])) return { sends: [] }
      const page = await orders.readPage(ids, attemptWith(guard, orders))
      const facts = page.orders.map((told) => factsOf(told, page.words, since))
      const stored = await storedKeys(
        database,
        facts.flatMap(({ happenings }) => happenings.flatMap(({ keys }) => keys)),
      )
      const sends: NewSend[] = []
      for (const { order, happenings } of facts) {
        const unsent = happenings.filter(({ keys }) => !keys.some((key) => stored.has(key)))
        sends.push(
          ...(await composed(
            order,
            unsent.map(({ happening }) => happening),
          )),
        )
      }
      return { sends }
    },
  }
}

/** The store's own code may fail at an order, which then is left out. */
export const attemptWith =
  (guard: Guard, orders: Pick<ToldOrders, 'referenceOf'>): Attempt =>
  (read, id) =>
    guard(read, {
      about: async () => ({ reference: await orders.referenceOf(id) }),
      sentence: 'An order could not be read, and is not told',
    })

/** What happened to an order since a moment, and by which keys it is known that it was sent. */
function factsOf(told: ToldOrder, words: StatusWords, since: Date) {
  const { order, changes, parcels, tracking } = told
  const history = { changes, parcels, ...words, since, ...(tracking && { tracking }) }
  const happenings = oneByOne(happeningsOf(history)).map((happening) => ({
    happening,
    keys: keysOfReport(happening, told),
  }))
  return { order, happenings }
}

/** Which of these keys sends are stored by. */
async function storedKeys(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const sends = database.table(sendsSlug)
  const key = column(sends, 'key')
  const rows = await database.rows(
    sql`select ${key} as "key" from ${sends} where ${database.isOneOf(key, keys)}`,
  )
  return new Set(rows.map((row) => String(row.key)))
}
