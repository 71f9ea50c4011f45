import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as giveWay } from 'node:timers/promises'
import type { Payload } from 'payload'
import {
  bulkDatabase,
  type BulkDatabase,
  type BulkRow,
  type BulkRows,
  type BulkTable,
} from './bulk-database.ts'
import { bulkOrder, type BulkOrder } from './bulk-order.ts'
import { readBulkWorld } from './bulk-world.ts'
import { randomFrom } from './random.ts'

export interface SeedOrdersOptions {
  payload: Payload
  count: number
  /** Called after each batch with the orders inserted so far. */
  onProgress?: (inserted: number, count: number) => void
  /** The time that the orders are spread over. Default: the last 365 days. */
  spread?: { from: Date; to: Date }
  /** So many orders in a row share one `updatedAt`. Default 1: hardly any do. */
  ties?: number
  /** Orders written at once. Default 500. */
  batchSize?: number
  /** Gives each order a payment as well. Default true. */
  withTransactions?: boolean
  /** The same seed gives the same orders, apart from ids, references and numbers. Default 1. */
  seed?: number
}

const dayMilliseconds = 24 * 60 * 60 * 1000

/**
 * Adds full, valid orders to what is there, in batches that are written whole or not at all. Works
 * on any store with the ecommerce extension's `orders`: columns that the store lacks are passed
 * over. Memory stays bounded by a batch.
 */
export async function seedOrders(options: SeedOrdersOptions): Promise<void> {
  const { batchSize = 500, count, onProgress, payload, seed = 1, ties = 1 } = options
  const now = Date.now()
  const spread = options.spread ?? {
    from: new Date(now - 365 * dayMilliseconds),
    to: new Date(now),
  }
  const database = bulkDatabase(payload)
  const tables = tablesOf(database, options.withTransactions ?? true)
  const world = await readBulkWorld(payload, database)
  const random = randomFrom(seed)
  const run = randomBytes(4).toString('hex')

  const writer = { arrayRowId: arrayRowIds(), database, tables }
  const orderAt = (position: number): BulkOrder => {
    const order = bulkOrder(random, world)
    Object.assign(order.row, {
      number: randomBytes(16).toString('hex'),
      reference: `${run}-${(position + 1).toString(36)}`,
      ...timesAt(position - (position % ties), count, spread),
    })
    return order
  }

  await database.whileWritingMuch(async () => {
    for (let inserted = 0; inserted < count;) {
      const size = Math.min(batchSize, count - inserted)
      const start = inserted
      await insertOrders(
        writer,
        Array.from({ length: size }, (_, index) => orderAt(start + index)),
      )
      inserted += size
      onProgress?.(inserted, count)
      // SQLite works without ever giving way: let timers and requests have their turn.
      await giveWay()
    }
  })
}

interface OrderTables {
  orders: BulkTable
  items: BulkTable
  options: BulkTable | undefined
  tracking: BulkTable | undefined
  relations: BulkTable | undefined
  transactions: BulkTable | undefined
}

interface OrderWriter {
  database: BulkDatabase
  tables: OrderTables
  arrayRowId: () => string
}

function tablesOf(database: BulkDatabase, withTransactions: boolean): OrderTables {
  const orders = database.table('orders')
  const items = database.table('orders_items')
  if (!orders || !items) throw new TypeError('The store has no table for orders and their items')
  return {
    orders,
    items,
    options: database.table('orders_items_options'),
    tracking: database.table('orders_tracking'),
    relations: withTransactions ? database.table('orders_rels') : undefined,
    transactions: withTransactions ? database.table('transactions') : undefined,
  }
}

/** Orders are placed evenly over the time and change a little later, in the same order. */
function timesAt(position: number, count: number, { from, to }: { from: Date; to: Date }): BulkRow {
  const length = to.getTime() - from.getTime()
  const createdAt = from.getTime() + (length * position) / count
  const quiet = Math.min(dayMilliseconds, length / 100)
  return {
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(Math.min(createdAt + quiet, to.getTime())).toISOString(),
  }
}

async function insertOrders(
  { arrayRowId, database, tables }: OrderWriter,
  orders: BulkOrder[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const firstOrderId = await database.reserveIds(tables.orders, orders.length)
    const firstTransactionId =
      tables.transactions && (await database.reserveIds(tables.transactions, orders.length))
    const ids = orders.map((_, index) => ({
      order: firstOrderId === undefined ? randomUUID() : firstOrderId + index,
      transaction: firstTransactionId === undefined ? randomUUID() : firstTransactionId + index,
    }))
    try {
      return await database.insert(rowsOf({ arrayRowId, tables }, orders, ids))
    } catch (error) {
      // On SQLite a running server may have taken the ids in the meantime.
      if (attempt === 5) throw error
    }
  }
}

function rowsOf(
  { arrayRowId, tables }: Omit<OrderWriter, 'database'>,
  orders: BulkOrder[],
  ids: { order: number | string; transaction: number | string }[],
): BulkRows[] {
  const rows = {
    orders: [] as BulkRow[],
    items: [] as BulkRow[],
    options: [] as BulkRow[],
    tracking: [] as BulkRow[],
    transactions: [] as BulkRow[],
    relations: [] as BulkRow[],
  }
  for (const [index, { items, paymentMethod, row, tracking }] of orders.entries()) {
    const { order, transaction } = ids[index] ?? { order: '', transaction: '' }
    rows.orders.push({ id: order, ...row })
    for (const [place, item] of items.entries()) {
      const id = arrayRowId()
      rows.items.push({ id, _parentID: order, _order: place + 1, ...item.row })
      for (const [optionPlace, option] of item.options.entries()) {
        rows.options.push({ id: arrayRowId(), _parentID: id, _order: optionPlace + 1, ...option })
      }
    }
    if (tracking) {
      rows.tracking.push({ id: arrayRowId(), _parentID: order, _order: 1, ...tracking })
    }
    rows.transactions.push({ id: transaction, order, paymentMethod, ...paymentColumns(row) })
    rows.relations.push({
      order: 1,
      parent: order,
      path: 'transactions',
      transactionsID: transaction,
    })
  }
  return [
    { table: tables.orders, rows: rows.orders },
    { table: tables.items, rows: rows.items },
    ...(tables.options ? [{ table: tables.options, rows: rows.options }] : []),
    ...(tables.tracking ? [{ table: tables.tracking, rows: rows.tracking }] : []),
    ...(tables.transactions && tables.relations
      ? [
          { table: tables.transactions, rows: rows.transactions },
          { table: tables.relations, rows: rows.relations },
        ]
      : []),
  ].filter((part) => part.rows.length > 0)
}

const paymentColumns = (row: BulkRow): BulkRow => ({
  status: row.status === 'refunded' ? 'refunded' : 'succeeded',
  amount: row.amount ?? null,
  currency: row.currency ?? null,
  customer: row.customer ?? null,
  customerEmail: row.customerEmail ?? null,
  createdAt: row.createdAt ?? null,
  updatedAt: row.updatedAt ?? null,
})

/**
 * Rows of arrays need 24 hex digits as their id. Like Payload's own ids these begin with the time,
 * then comes what tells runs apart, then a number that goes up: an index takes them in order.
 */
function arrayRowIds(): () => string {
  const seconds = Math.floor(Date.now() / 1000).toString(16)
  const prefix = seconds.padStart(8, '0') + randomBytes(4).toString('hex')
  let position = 0
  return () => prefix + (position++).toString(16).padStart(8, '0')
}
