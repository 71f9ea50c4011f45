import { sql } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { OrderReader } from '../order-reader.js'
import { column, type Database } from './database.js'
import { createMappedReader } from './order-documents.js'
import { createOrderRows, further, type FurtherColumns, type OrderAndRow } from './order-rows.js'

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

/** Reads orders for everything that is told of them; by the store's own `mapOrder` where it has one. */
export function createOrderReader(parts: OrderReaderParts): PayloadOrderReader {
  const { payload, database, options } = parts
  const { mapOrder } = options.shipping
  if (!mapOrder) return createOrderRows(parts)
  const mapped = createMappedReader(payload, options, mapOrder)
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  return {
    ...mapped,
    async readWith(ids, also, within) {
      const connection = within ? await database.within(within) : database
      const rows = await connection.rows(
        sql`select ${id} as "id" ${further(also)} from ${orders} where ${database.isOneOf(id, ids)}`,
      )
      const byId = new Map(rows.map((row) => [row.id, row]))
      return (await mapped.read(ids, within)).flatMap((order) => {
        const row = byId.get(order.id)
        return row === undefined ? [] : { order, row }
      })
    },
  }
}
