import { sql } from 'drizzle-orm'
import { column } from '../../src/database/database.js'
import { savePastOrders } from '../../test/support/past-orders.js'
import { aLine } from '../../test/support/orders.js'
import type { BenchDatabase } from '../marketing/bench-database.js'
import { copiedRows, numbersUpTo } from '../copied-rows.js'

/** Placed Order, and one Ordered Product for each of two lines. */
export const eventsOfOrder = 3

export const period = { from: '2025-01-01', to: '2026-01-01' }

/** Orders of a year, each of another person: copies of one, made within the database. */
export async function fillWithOrders(
  { payload, database }: BenchDatabase,
  count: number,
): Promise<void> {
  const createdAt = '2025-01-01T00:00:00.000Z'
  const [first] = await savePastOrders(payload, [{ createdAt, items: [aLine(), aLine()] }])
  const orders = database.table('orders')
  const items = database.table('orders', 'items')
  const id = column(orders, 'id')
  const at = column(orders, 'createdAt')
  const number = sql`"n"."i"`
  const text = (before: string) => sql`${before} || cast(${number} as text)`
  const moment = database.isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, cast(${number} * 10 as text) || ' seconds')`
    : sql`${at} + ${number} * interval '10 seconds'`

  await database.run(
    sql`insert into ${orders} ${copiedRows(
      orders,
      {
        number: text('n-'),
        reference: text('r-'),
        customerEmail: sql`${text('buyer-')} || '@bench.example'`,
        createdAt: moment,
        updatedAt: moment,
      },
      sql`${numbersUpTo(count - 1)} select`,
    )} from ${orders} cross join "n" where ${id} = ${first?.id}`,
  )
  const parent = column(items, '_parentID')
  await database.run(sql`insert into ${items} ${copiedRows(
    items,
    {
      id: sql`${column(items, 'id')} || '-' || cast("o"."id" as text)`,
      _parentID: sql`"o"."id"`,
    },
    sql`select`,
  )} from ${items} cross join (select ${id} as "id" from ${orders} where ${id} <> ${first?.id}) as "o"
    where ${parent} = ${first?.id}`)
}
