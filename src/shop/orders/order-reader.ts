import { sql, type SQL } from 'drizzle-orm'
import { createLocalReq, type PayloadRequest } from 'payload'
import type { OrderOptions, OrderShop } from './order-options.js'
import type { Order, OrderDocument } from './order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { column, columnOrNull, optionalColumn, type Row } from '../../core/database/database.js'
import { publicationStatus } from '../../core/database/publication-status.js'
import {
  createOrderRows,
  further,
  type FurtherColumns,
  type OrderAndRow,
  type ReadWith,
} from './order-rows.js'
import { completeOrder } from './order-values.js'
import { withRefunds, type Refunds } from './refunds.js'
import { personErasedField } from './order-fields.js'
import { isCutOff, savingSinceField } from './save-mark.js'
import type { ShopNames } from '../../core/shop-names.js'
import { referenceOf } from './stored-value.js'
import { sleep } from '../../core/effects.js'
import { valueAt } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'

export interface OrderFilter {
  /** Exclusive bounds of `updatedAt`. Undefined: orders of all times. */
  window: { after: Date; before: Date } | undefined
  /** Only orders whose store field has this value. Undefined: orders with any value. */
  store: { field: string; value: string } | undefined
}

type StoredOrders = Pick<Shop, 'database'> & { options: ShopNames }

/** The condition for the orders of a filter. Unpaid drafts, the trash and anonymised orders are left out. */
export function orderCondition(
  shop: StoredOrders,
  { window, store }: Partial<OrderFilter> = {},
): SQL {
  const orders = shop.database.table(shop.options.collections.orders)
  const updatedAt = column(orders, 'updatedAt')
  const deletedAt = optionalColumn(orders, 'deletedAt')
  const conditions = [
    sql`true`,
    ...(window
      ? [
          sql`${updatedAt} > ${window.after.toISOString()}`,
          sql`${updatedAt} < ${window.before.toISOString()}`,
        ]
      : []),
    // As text: PostgreSQL refuses a value that a dropdown's enum does not have.
    ...(store ? [sql`cast(${column(orders, store.field)} as text) = ${store.value}`] : []),
    // Written so that no index is used: SQLite would choose the one of `deletedAt`, whose value nearly all
    // orders share.
    ...(deletedAt ? [sql`(${deletedAt} is null) is true`] : []),
    isNoDraft(shop),
    sql`coalesce(${column(orders, personErasedField)}, '') <> 'anonymised'`,
  ]
  return sql.join(conditions, sql` and `)
}

/** The condition for orders that were published, or that the checkout has made: those were paid. */
export function isNoDraft({ database, options: { collections, fields } }: StoredOrders): SQL {
  const orders = database.table(collections.orders)
  const stage = publicationStatus(database, orders)
  if (stage === undefined) return sql`true`
  const relations = database.optionalTable(collections.orders, 'rels')
  const payments = database.optionalTable(collections.transactions)
  const payment = relations && optionalColumn(relations, `${collections.transactions}ID`)
  if (!relations || !payments || !payment) return sql`${stage} = 'published'`
  const id = column(orders, 'id')
  // A copy of an order names its payment too.
  return sql`(${stage} = 'published' or exists (select 1 from ${relations}
    join ${payments} on ${column(payments, 'id')} = ${payment}
    where ${column(relations, 'parent')} = ${id} and ${column(relations, 'path')} = ${fields.transactions}
      and coalesce(${columnOrNull(payments, 'order')}, ${id}) = ${id}))`
}

/** The condition for the orders that Klaviyo may learn of: those whose person was not erased. */
export function reportedCondition(shop: StoredOrders): SQL {
  const orders = shop.database.table(shop.options.collections.orders)
  return sql`${orderCondition(shop)} and ${column(orders, personErasedField)} is null`
}

/** The store's own code that reads orders: `orders.map`, `orders.refunds`. */
type StoreCode = 'map' | 'refunds'

/** The store's own code threw for an order; `cause` is what it threw. */
export class UnreadOrder extends Error {
  override readonly name = 'UnreadOrder'
  readonly failed: StoreCode
  readonly orderId: DocumentId
  readonly reference: string
  readonly updatedAt: Date

  constructor(
    failed: StoreCode,
    { id, reference, updatedAt }: Pick<Order, 'id' | 'reference' | 'updatedAt'>,
    cause: unknown,
  ) {
    super(`orders.${failed}() failed at the order ${id}.`, { cause })
    this.failed = failed
    this.orderId = id
    this.reference = reference
    this.updatedAt = updatedAt
  }
}

export type OrderReader = ReturnType<typeof createOrderReader>

/** How long a read waits for orders that are being saved, and how often it checks them. */
const patienceMs = 500
const checkAgainMs = 10

/** Reads whole orders for the export and for events, with the store's own `orders.map` if there is one. */
export function createOrderReader(shop: OrderShop) {
  const { map, refunds } = shop.options.orders
  const ofStore = map ? readMappedWith(shop, map) : createOrderRows(shop)
  const readWith = onlyWhole(refunds ? readRefundedWith(shop, ofStore, refunds) : ofStore, shop)

  return {
    /**
     * The whole orders of these ids, in the order of the ids, each with the further columns. Ids without
     * an order are left out, and so are orders that are still being saved.
     *
     * @throws {UnreadOrder} when `orders.map` or `orders.refunds` throws.
     */
    readWith,

    /** The same, without further columns. */
    read: async (ids: readonly DocumentId[]): Promise<Order[]> =>
      (await readWith(ids, {})).map(({ order }) => order),

    /** The orders of these ids that are not whole: being saved, or left by a save that was cut off. */
    beingSaved: (ids: readonly DocumentId[]) => readBeingSaved(shop, ids),
  }
}

/** Waits a little for orders that are being saved, and leaves out those that are still not whole. */
function onlyWhole(readWith: ReadWith, { database, options, effects }: Shop): ReadWith {
  const savingSince = column(database.table(options.collections.orders), savingSinceField)
  return async (ids, also) => {
    const whole = new Map<DocumentId, OrderAndRow>()
    const begunAt = effects.steadyMs()
    let left = ids
    while (left.length > 0) {
      const read = await readWith(left, { ...also, savingSince })
      for (const each of read) {
        if (each.row.savingSince === null) whole.set(each.order.id, each)
      }
      left = read.flatMap(({ order, row }) =>
        row.savingSince === null || isCutOff(row.savingSince, effects.now()) ? [] : [order.id],
      )
      if (effects.steadyMs() - begunAt >= patienceMs) break
      if (left.length > 0) await sleep(effects, checkAgainMs)
    }
    return ids.flatMap((id) => whole.get(id) ?? [])
  }
}

/** An order that was changed between the statements that read its document and its row counts as being saved. */
function readMappedWith(
  { payload, database, options, effects }: OrderShop,
  map: Required<OrderOptions>['map'],
): ReadWith {
  const collection = options.collections.orders
  const { depth } = options.orders
  const orders = database.table(collection)
  const id = column(orders, 'id')
  const version = { updatedAt: column(orders, 'updatedAt') }

  const readRows = async (
    ids: readonly DocumentId[],
    columns: FurtherColumns,
  ): Promise<Map<unknown, Row>> => {
    const rows = await database.rows(
      sql`select ${id} as "id" ${further({ ...columns, ...version })} from ${orders}
        where ${database.isOneOf(id, ids)}`,
    )
    return new Map(rows.map((row) => [row.id, row]))
  }

  const mapped = async (document: OrderDocument, req: PayloadRequest): Promise<Order> => {
    try {
      const order = completeOrder(await map({ ...document }, { req }))
      if (order.id !== document.id) throw new TypeError('orders.map() must return the id as it is.')
      return order
    } catch (error) {
      const reference = String(valueAt(document, options.fields.reference) ?? document.id)
      const updatedAt = new Date(String(document.updatedAt))
      throw new UnreadOrder('map', { id: document.id, reference, updatedAt }, error)
    }
  }

  return async (ids, also) => {
    const before = await readRows(ids, {})
    const req = await createLocalReq({}, payload)
    const where = { id: { in: [...ids] } }
    const { docs } = await payload.find({ collection, where, depth, pagination: false, req })
    const documents = new Map(docs.map((document) => [document.id, document]))
    const found = ids.flatMap((each) => documents.get(each) ?? [])
    const read: Order[] = []
    for (const document of found) read.push(await mapped(document, req))
    const after = await readRows(ids, also)
    return read.flatMap((order) => {
      const row = after.get(order.id)
      if (row === undefined) return []
      const isSame = String(before.get(order.id)?.updatedAt) === String(row.updatedAt)
      return { order, row: isSame ? row : { ...row, savingSince: effects.now().toISOString() } }
    })
  }
}

const readRefundedWith =
  (shop: OrderShop, readWith: ReadWith, refunds: Refunds): ReadWith =>
  async (ids, also) => {
    const req = await createLocalReq({}, shop.payload)
    const refunded: OrderAndRow[] = []
    for (const { order, row } of await readWith(ids, also)) {
      try {
        refunded.push({ order: await withRefunds(order, refunds, { req }), row })
      } catch (error) {
        throw new UnreadOrder('refunds', order, error)
      }
    }
    return refunded
  }

async function readBeingSaved(
  { database, effects, options: { collections, fields } }: Shop,
  ids: readonly DocumentId[],
) {
  if (ids.length === 0) return []
  const orders = database.table(collections.orders)
  const [id, since] = [column(orders, 'id'), column(orders, savingSinceField)]
  const reference = referenceOf(orders, { fields })
  const rows = await database.rows(sql`select ${id} as "id", ${reference} as "reference",
      ${since} as "since" from ${orders} where ${database.isOneOf(id, ids)} and ${since} is not null`)
  return rows.map((row) => ({
    orderId: row.id as DocumentId,
    reference: typeof row.reference === 'string' ? row.reference : String(row.id),
    since: new Date(String(row.since)),
    isCutOff: isCutOff(row.since, effects.now()),
  }))
}
