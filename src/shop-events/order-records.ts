import { sql, type SQL } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../commerce/order.js'
import { column, optionalColumn, type Row } from '../store/payload/database.js'
import { readDocumentId } from '../store/payload/document-id.js'
import { jsonDialect, type Values } from '../store/payload/json-dialect.js'
import { noticesSlug } from '../store/payload/notice-collection.js'
import { orderCondition } from '../store/payload/order-condition.js'
import { statusChangesField } from '../store/payload/order-fields.js'
import { createOrderReader } from '../store/payload/order-reader.js'
import { locateTracking } from '../store/payload/tracking-place.js'
import { trackingTable } from '../store/payload/tracking-table.js'
import type { OrderDetailsSource } from '../store/order-details-source.js'
import type { TrackingPlace } from '../store/shipment-log.js'
import type { Parcel, StatusChange, StatusWords, Tracking } from './happening.js'
import { guarded, type ShopParts } from './shop-parts.js'
import { readStatusChanges } from './status-history.js'
import { statusLabels } from './status-labels.js'

/** An order with all that says what has happened to it. */
export interface OrderRecord {
  order: Order
  changes: StatusChange[]
  parcels: Parcel[]
  /** Undefined when it has no tracking entry. */
  tracking: Tracking | undefined
}

/** Reads one order, and decides whether a failure is the order's own: then it has none to give. */
export type Attempt = (
  read: () => Promise<OrderRecord[]>,
  id: DocumentId,
) => Promise<OrderRecord[] | undefined>

export type OrderRecords = ReturnType<typeof createOrderRecords>

/** What the order itself says of its status, and not a draft of it. */
export type StoredHistory = Awaited<ReturnType<OrderRecords['lockedHistory']>>

/** Reads orders as their events need them. */
export function createOrderRecords(parts: ShopParts) {
  const { payload, database, settings, options } = parts
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const status = column(orders, fields.status)
  const changes = column(orders, statusChangesField)
  const optional = (name: string) => optionalColumn(orders, name) ?? sql`null`
  const isThere = orderCondition(orders, { window: undefined, store: undefined })
  const reader = createOrderReader(parts)
  const json = jsonDialect(database)
  const orderFields = payload.collections[collections.orders]?.config.fields ?? []
  const labelOf = statusLabels(orderFields, fields.status)
  const further = {
    changes,
    number: optional(fields.number),
    site: optional(fields.site),
    parcels: parcelsOf(parts),
    accountEmail: accountEmailOf(parts),
  }

  async function read(
    ids: readonly DocumentId[],
    place: TrackingPlace | undefined,
  ): Promise<OrderRecord[]> {
    const tracking = place ? trackingOf(parts, place) : sql`null`
    const found = await reader.readWith(ids, { ...further, tracking })
    return found.map(({ order, row }) => ({
      order: identified(order, row),
      changes: readStatusChanges(row.changes),
      parcels: json.parse(row.parcels).map((parcel) => toParcel(parcel as Values)),
      tracking: row.tracking === null ? undefined : toTracking(json.parse(row.tracking)),
    }))
  }

  /** What the log calls an order that cannot be read as a whole. */
  async function nameOf(orderId: DocumentId) {
    const [row] = await database.rows(
      sql`select ${optional(fields.reference)} as "reference" from ${orders} where ${id} = ${orderId}`,
    )
    return { reference: typeof row?.reference === 'string' ? row.reference : String(orderId) }
  }

  /** The store's own code may fail at an order, which then is left out. */
  const attemptGuarded: Attempt = (readOne, orderId) =>
    guarded(parts, readOne, {
      about: () => nameOf(orderId),
      sentence: 'An order could not be read, and is not reported',
    })

  return {
    /**
     * Orders in the order of the ids, without those that are being saved, and what their statuses
     * mean. Where a page cannot be read its orders are attempted one by one; `hasFailed` when one of
     * them has none to give.
     */
    async readPage(
      ids: readonly DocumentId[],
      attempt = attemptGuarded,
    ): Promise<{ orders: OrderRecord[]; words: StatusWords; hasFailed: boolean }> {
      const shipping = await settings.shipping()
      const located = locateTracking(payload, collections.orders, shipping)
      const place = 'place' in located ? located.place : undefined
      const words = { shippedStatus: shipping.statusHandle, labelOf }
      try {
        return { words, orders: await read(ids, place), hasFailed: false }
      } catch {
        const found: (OrderRecord[] | undefined)[] = []
        for (const each of ids) found.push(await attempt(() => read([each], place), each))
        const orders = found.flatMap((own) => own ?? [])
        return { words, orders, hasFailed: found.includes(undefined) }
      }
    },

    /** The id of the order of a number, or of this id and account. */
    async idOf(
      where: Parameters<OrderDetailsSource['ofOrder']>[0],
    ): Promise<DocumentId | undefined> {
      const idIn = (text: string) => readDocumentId(payload, collections.orders, text) ?? null
      const isIt =
        'number' in where
          ? sql`${optional(fields.number)} = ${where.number}`
          : sql`${id} = ${idIn(where.id)} and ${optional(fields.customer)} = ${where.customerId}`
      const [row] = await database.rows(
        sql`select ${id} as "id" from ${orders} where ${isIt} and ${isThere} limit 1`,
      )
      return row?.id as DocumentId | undefined
    },

    /**
     * Status and history as they are now; on PostgreSQL nobody else changes them before the request's
     * transaction is over.
     */
    async lockedHistory(orderId: DocumentId, req: PayloadRequest) {
      const connection = await database.within(req)
      const [row] = await connection.rows(sql`select ${status} as "status", ${changes} as "changes",
          ${optional('_status')} as "published"
        from ${orders} where ${id} = ${orderId} ${database.isSqlite ? sql`` : sql`for update`}`)
      return {
        status: row?.status,
        isDraft: row?.published === 'draft',
        changes: readStatusChanges(row?.changes),
      }
    },
  }
}

/** A store's `mapOrder` may know nothing of number, site and account. */
function identified(order: Order, { number, site, accountEmail: email }: Row): Order {
  const siteId = order.siteId ?? (site as DocumentId | null) ?? undefined
  return {
    ...(typeof email === 'string' && { accountEmail: email }),
    ...order,
    number: order.number ?? textOf(number),
    ...(siteId !== undefined && { siteId }),
  }
}

function accountEmailOf({ database, options, customersSlug }: ShopParts): SQL {
  const { collections, fields } = options
  const customer = optionalColumn(database.table(collections.orders), fields.customer)
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const email = customers && optionalColumn(customers, 'email')
  if (!customers || !customer || !email) return sql`null`
  return sql`(select ${email} from ${customers} where ${column(customers, 'id')} = ${customer})`
}

function parcelsOf({ database, options }: ShopParts): SQL {
  const notices = database.table(noticesSlug)
  const order = column(database.table(options.collections.orders), 'id')
  const { array, list } = jsonDialect(database)
  const names = ['id', 'createdAt', 'carrier', 'service', 'trackingNumber']
  const parcel = array(names.map((name) => column(notices, name)))
  return sql`(select ${list(parcel, column(notices, 'id'))} from ${notices}
    where ${column(notices, 'order')} = ${order})`
}

function toParcel([id, createdAt, ...values]: Values): Parcel {
  const tracking = toTracking(values)
  return {
    id: tracking.trackingNumber || String(id),
    ...tracking,
    shippedAt: new Date(String(createdAt)),
  }
}

/** The order's tracking entry. */
function trackingOf({ database, options }: ShopParts, place: TrackingPlace): SQL {
  const slug = options.collections.orders
  const { table, isEntryOf } = trackingTable(database, slug, place)
  const names = [place.carrier, place.service, place.trackingNumber]
  const values = jsonDialect(database).array(names.map((name) => column(table, name)))
  const order = column(database.table(slug), 'id')
  return sql`(select ${values} from ${table} where ${isEntryOf(sql`${order}`)}
    order by ${column(table, '_order')} limit 1)`
}

const toTracking = ([carrier, service, trackingNumber]: Values): Tracking => ({
  carrier: textOf(carrier),
  service: textOf(service),
  trackingNumber: textOf(trackingNumber),
})

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
