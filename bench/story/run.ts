import { parseArgs } from 'node:util'
import { getTableColumns, sql, type Column, type SQL } from 'drizzle-orm'
import { randomFrom } from '../../dev/seed/random.ts'
import {
  bareName,
  column,
  sqlDatabase,
  type PayloadTable,
} from '../../src/core/database/database.js'
import { sendTable } from '../../src/marketing/delivery/send-table.js'
import { wholePartsOf } from '../../test/support/parts.js'
import { pullsSlug } from '../../src/shipping/pull-collection.js'
import { numbersUpTo } from '../../test/support/copied-rows.js'
import { startDatabases } from '../../test/support/databases.js'
import type { DatabaseKind } from '../../test/support/store-config.js'
import { exportRequest, noticeRequest } from '../../test/support/shipping-requests.js'
import { report, tell } from '../goals.js'
import { makeStore, type BenchStore } from '../stores.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
    orders: { type: 'string' },
    sends: { type: 'string' },
  },
})
const sizes = values.quick
  ? { orders: 2_000, sends: 6_000, pulls: 100, reads: 20 }
  : {
      orders: Number(values.orders ?? 1_000_000),
      sends: Number(values.sends ?? 3_000_000),
      // One each five minutes for 30 days.
      pulls: 8_640,
      reads: 300,
    }
const customers = 20

/** Guests, who have five orders each. */
const people = values.quick ? 400 : 200_000

/** So many orders are made whole; the others are copies of them. */
const seeded = 1_000

const databases = await startDatabases()
try {
  const kinds: DatabaseKind[] = ['sqlite', 'postgres']
  for (const kind of kinds) {
    if ((values.database ?? kind) !== kind) continue
    const shown = (count: number) => count.toLocaleString('en')
    console.log(
      `\n${kind}: stories among ${shown(sizes.orders)} orders, ${shown(sizes.sends)} sends and ${shown(sizes.pulls)} pulls`,
    )
    const store = await makeStore(databases, kind, seeded)
    await multiply(store)
    await fill(store)
    await measure(store)
    await store.payload.destroy()
  }
} finally {
  await databases.stop()
}
process.exit(0)

/** Copies the orders with their lines, until there are enough. */
async function multiply({ payload }: BenchStore): Promise<void> {
  const database = sqlDatabase(payload)
  const orders = database.table('orders')
  const items = database.table('orders', 'items')
  const copy = sql`"n"."i"`
  const later = (of: Column) => sql`${of} + ${copy} * ${seeded}`
  const again = (of: Column) => sql`${of} || '-' || ${copy}`
  const insert = async (table: PayloadTable, changed: Record<string, (of: Column) => SQL>) => {
    const columns = Object.entries<Column>(getTableColumns(table))
    const values = columns.map(([name, of]) => changed[name]?.(of) ?? sql`${of}`)
    await database.run(sql`insert into ${table} (${sql.join(
      columns.map(([, of]) => bareName(of)),
      sql`, `,
    )}) ${numbersUpTo(sizes.orders / seeded - 1)}
      select ${sql.join(values, sql`, `)} from ${table} cross join "n"`)
  }
  const person = (of: Column) =>
    sql`'person' || ((${later(of)}) % ${sql.raw(`${people}`)}) || '@example.com'`
  const customerEmail = () => person(column(orders, 'id'))
  await insert(orders, { id: later, reference: again, number: again, customerEmail })
  await insert(items, { id: again, _parentID: later })
}

/** Sends of every order, pulls of a month with one of all orders, and customers with 50 orders each. */
async function fill({ payload, handle }: BenchStore): Promise<void> {
  const database = sqlDatabase(payload)
  const orders = database.table('orders')
  const id = column(orders, 'id')
  const { table, bare } = sendTable(database)
  const number = sql`coalesce(nullif(${column(orders, 'number')}, ''), cast(${id} as text))`
  const now = new Date().toISOString()
  const at = database.isSqlite ? sql`${now}` : sql`${now}::timestamptz`
  const json = (text: string) => (database.isSqlite ? sql`${text}` : sql`${text}::jsonb`)
  const attempts = json(JSON.stringify([{ at: now, meant: 'delivered', status: 202, ms: 80 }]))
  const message = json('{}')
  const typed = (type: string, value: string) =>
    database.isSqlite ? sql`${value}` : sql`${value}::${sql.raw(`"enum_marketing_sends_${type}"`)}`
  const parts = ['placed', 'line:0', 'status:processing:1']
  const perPart = Math.ceil(sizes.sends / parts.length)
  for (const part of parts) {
    const to = [bare.key, bare.kind, bare.state, bare.profile, bare.metric, bare.message]
    const then = [bare.acceptedAt, bare.sentAt, bare.lastAttempts]
    await database.run(sql`insert into ${table} (${sql.join([...to, ...then], sql`, `)})
      select 'order:' || ${number} || ':' || ${part}, ${typed('kind', 'event')}, ${typed('state', 'sent')},
        'email:person' || (${id} % ${sql.raw(`${people}`)}) || '@example.com', ${part}, ${message}, ${at}, ${at}, ${attempts}
      from ${orders} order by ${id} limit ${perPart}`)
  }
  for (let each = 0; each < customers; each += 1) {
    const email = `person${each}@example.com`
    const user = await payload.create({
      collection: 'users',
      data: { email, password: 'a-password', roles: ['customer'] },
    })
    await database.update(
      orders,
      { customer: user.id },
      sql`${id} > ${each * 50} and ${id} <= ${each * 50 + 50}`,
    )
    await database.update(
      table,
      { account: String(user.id) },
      sql`${bare.profile} = ${`email:${email}`}`,
    )
  }
  // One of all orders, of which a page was asked for, and small ones.
  await handle(exportRequest())
  const lists = database.table(pullsSlug)
  const month = 30 * 24 * 60 * 60_000
  const rows = Array.from({ length: sizes.pulls }, (_, index) => {
    const moment = new Date(Date.now() - month + (index * month) / sizes.pulls)
    const before = new Date(moment.getTime() - 300_000)
    const first = 1 + Math.floor((index * sizes.orders) / sizes.pulls)
    const ids = Array.from({ length: 20 }, (_, place) => first + place)
    const times = { createdAt: moment.toISOString(), updatedAt: moment.toISOString() }
    const list = `bench-${index}`
    return [
      { list, state: 'complete', pages: 1, answered: '1', highestPage: 1, pageSize: 500, ...times },
      {
        ...{ list, start: 0, size: ids.length, ids: ids.join(','), ...times },
        ...{ changedFrom: before.toISOString(), changedTo: moment.toISOString() },
      },
    ]
  })
  for (const pair of rows) for (const row of pair) await database.insertIgnoring(lists, row)
  const order = await payload.findByID({ collection: 'orders', id: 1, depth: 0 })
  const { reference } = order as unknown as { reference: string | null }
  await handle(noticeRequest({ order_number: reference || '1', carrier: 'UPS' }))
  if (!database.isSqlite) await database.run(sql`analyze`)
}

async function measure({ payload }: BenchStore): Promise<void> {
  const { people: pages, stories } = await wholePartsOf(payload)
  const random = randomFrom(7)
  const told = async (name: string, read: () => Promise<unknown>) => {
    const times: number[] = []
    for (let each = 0; each < sizes.reads; each += 1) {
      const begun = performance.now()
      await read()
      times.push(performance.now() - begun)
    }
    times.sort((one, other) => one - other)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    tell(`${name}, p50`, `${at(0.5).toFixed(1)} ms`)
    report(`${name}, p95, ms`, at(0.95), { atMost: 100 })
  }
  await told("an order's story", () =>
    stories.ofOrder(random.between(1, sizes.orders), (key) => key),
  )
  const { docs } = await payload.find({ collection: 'users', limit: customers, depth: 0 })
  await told("a customer's story", () => stories.ofCustomer(random.pick(docs).id))
  const reader = { translate: (key: string) => key, statusName: (status: string) => status }
  const page = (value: string) => pages.read({ by: 'text', value }, reader)
  await told("a guest's page", () =>
    page(`Person${random.between(customers, people - 1)}@example.com`),
  )
  await told("a customer's page", () => page(String(random.pick(docs).email)))
}
