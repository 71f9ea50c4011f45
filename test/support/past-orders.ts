import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import { copiedRows, numbersUpTo } from './copied-rows.js'
import { bareName, column, sqlDatabase } from '../../src/core/database/database.js'
import { anOrder, aLine, type SavedOrder } from './orders.js'

/** Orders from before Storeconnect kept a history of them, created by themselves below all hooks. */
export async function savePastOrders(
  payload: BasePayload,
  orders: readonly Record<string, unknown>[],
): Promise<{ id: number | string; number: string }[]> {
  const saved: { id: number | string; number: string }[] = []
  for (const [index, order] of orders.entries()) {
    const number = createHash('md5')
      .update(`past ${index} ${String(order.createdAt)}`)
      .digest('hex')
    const given = { ...anOrder(), number, reference: `P-${index}-${number.slice(0, 6)}`, ...order }
    const data = withRowIds(given) as Record<string, unknown>
    const document = (await payload.db.create({ collection: 'orders', data })) as SavedOrder
    saved.push({ id: document.id, number: String(data.number) })
  }
  return saved
}

/** Copies an order many times, in one statement. */
export async function copyOrders(
  payload: BasePayload,
  { model, count, at }: { model: number | string; count: number; at: string },
): Promise<void> {
  const database = sqlDatabase(payload)
  const orders = database.table('orders')
  const of = (name: string) => column(orders, name)
  const values = {
    // SQLite makes numbers itself, and no uuids.
    ...(database.isSqlite && typeof model === 'string' && { id: sql`lower(hex(randomblob(16)))` }),
    number: sql`'copy ' || "i"`,
    status: sql`"model"."status"`,
    createdAt: sql`${at}`,
    updatedAt: sql`${at}`,
  }
  const target = Object.keys(values).map((name) => bareName(of(name)))
  await database.rows(sql`with recursive "n" as (
      select 1 as "i" union all select "i" + 1 from "n" where "i" < ${count})
    insert into ${orders} (${sql.join(target, sql`, `)})
    select ${sql.join(Object.values(values), sql`, `)} from "n",
      (select ${of('status')} as "status" from ${orders} where ${of('id')} = ${model}) as "model"
    returning ${bareName(of('id'))} as "id"`)
}

/** So many orders of a year, each of two lines, by a few people who buy again and again. */
export const ordersOfYear = (count: number, year = 2025): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, index) => ({
    createdAt: new Date(Date.UTC(year, 0, 1) + (index * 360 * 86_400_000) / count).toISOString(),
    customerEmail: `buyer-${index % 40}@example.com`,
    items: [aLine(), aLine({ name: 'Oolong', sku: 'TEA-2', quantity: 1, unitPrice: 900 })],
  }))

/** Payload gives rows their ids above the database. */
function withRowIds(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((row) => ({
      id: randomBytes(12).toString('hex'),
      ...(withRowIds(row) as object),
    }))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withRowIds(held)]))
}

/** So many orders of 2025, each of another person: copies of one, made within the database. */
export async function copyPastOrders(
  payload: BasePayload,
  count: number,
  { apartSeconds = 10 } = {},
): Promise<void> {
  const database = sqlDatabase(payload)
  const createdAt = '2025-01-01T00:00:00.000Z'
  const [first] = await savePastOrders(payload, [{ createdAt, items: [aLine(), aLine()] }])
  const orders = database.table('orders')
  const items = database.table('orders', 'items')
  const id = column(orders, 'id')
  const at = column(orders, 'createdAt')
  const number = sql`"n"."i"`
  const text = (before: string) => sql`${before} || cast(${number} as text)`
  const seconds = sql`${number} * ${sql.raw(String(apartSeconds))}`
  const moment = database.isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, cast(${seconds} as text) || ' seconds')`
    : sql`${at} + ${seconds} * interval '1 second'`

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
