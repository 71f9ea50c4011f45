import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Column } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { OrderBeingSaved, OrderReader } from '../order-reader.js'
import { column, optionalColumn, type Database, type Row } from './database.js'
import { createMappedReader } from './order-documents.js'
import { createOrderRows, further, type FurtherColumns, type OrderAndRow } from './order-rows.js'
import { isCutOff, savingSinceField } from './save-mark.js'

export interface OrderReaderParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

export interface PayloadOrderReader extends OrderReader {
  /** For a request what it has written is seen. */
  read(ids: readonly DocumentId[], within?: PayloadRequest): Promise<Order[]>
  /** The same, with further columns of each order. */
  readWith(
    ids: readonly DocumentId[],
    also: FurtherColumns,
    within?: PayloadRequest,
  ): Promise<OrderAndRow[]>
}

type ReadWith = PayloadOrderReader['readWith']

/** How long a read waits for orders that are being saved, and how soon it looks again. */
const patienceMs = 500
const lookAgainMs = 10

/** Reads orders for everything that is told of them; by the store's own `mapOrder` where it has one. */
export function createOrderReader(parts: OrderReaderParts): PayloadOrderReader {
  const { database, options } = parts
  const { mapOrder } = options.shipping
  const readWith = wholeAlone(
    mapOrder ? readMappedWith(parts, mapOrder) : createOrderRows(parts).readWith,
    column(database.table(options.collections.orders), savingSinceField),
  )
  return {
    readWith,
    read: async (ids, within) => (await readWith(ids, {}, within)).map(({ order }) => order),
    beingSaved: (ids) => readBeingSaved(parts, ids),
  }
}

/** Without orders that others are just writing; these are waited for a little. */
const wholeAlone =
  (readWith: ReadWith, savingSince: Column): ReadWith =>
  async (ids, also, within) => {
    const whole = new Map<DocumentId, OrderAndRow>()
    const until = Date.now() + patienceMs
    let left = ids
    while (left.length > 0) {
      const read = await readWith(left, { ...also, savingSince }, within)
      for (const each of read) {
        if (each.row.savingSince === null) whole.set(each.order.id, each)
      }
      left = read.flatMap(({ order, row }) =>
        row.savingSince === null || isCutOff(row.savingSince) ? [] : [order.id],
      )
      if (Date.now() >= until) break
      if (left.length > 0) await sleep(lookAgainMs)
    }
    return ids.flatMap((id) => whole.get(id) ?? [])
  }

/**
 * The documents are read by other statements than the rows: one that was changed in between is taken
 * for one that is being saved.
 */
function readMappedWith(
  { payload, database, options }: OrderReaderParts,
  mapOrder: NonNullable<ResolvedOptions['shipping']['mapOrder']>,
): ReadWith {
  const mapped = createMappedReader(payload, options, mapOrder)
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const version = { updatedAt: column(orders, 'updatedAt') }

  return async (ids, also, within) => {
    const connection = within ? await database.within(within) : database
    const readRows = async (columns: FurtherColumns): Promise<Map<unknown, Row>> => {
      const rows = await connection.rows(
        sql`select ${id} as "id" ${further({ ...columns, ...version })} from ${orders}
          where ${database.isOneOf(id, ids)}`,
      )
      return new Map(rows.map((row) => [row.id, row]))
    }
    const before = await readRows({})
    const documents = await mapped.read(ids, within)
    const after = await readRows(also)
    return documents.flatMap((order) => {
      const row = after.get(order.id)
      if (row === undefined) return []
      const isSame = String(before.get(order.id)?.updatedAt) === String(row.updatedAt)
      return { order, row: isSame ? row : { ...row, savingSince: new Date().toISOString() } }
    })
  }
}

async function readBeingSaved(
  { database, options: { collections, fields } }: OrderReaderParts,
  ids: readonly DocumentId[],
): Promise<OrderBeingSaved[]> {
  if (ids.length === 0) return []
  const orders = database.table(collections.orders)
  const [id, since] = [column(orders, 'id'), column(orders, savingSinceField)]
  const reference = optionalColumn(orders, fields.reference) ?? sql`null`
  const rows = await database.rows(sql`select ${id} as "id", ${reference} as "reference",
      ${since} as "since" from ${orders} where ${database.isOneOf(id, ids)} and ${since} is not null`)
  return rows.map((row) => ({
    orderId: row.id as DocumentId,
    reference: typeof row.reference === 'string' ? row.reference : String(row.id),
    since: new Date(String(row.since)),
    isCutOff: isCutOff(row.since),
  }))
}
