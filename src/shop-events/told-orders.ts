import { sql, type SQL } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../commerce/order.js'
import type { Parcel, StatusChange, StatusWords, Tracking } from './happening.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { SettingsSource } from '../store/settings-source.js'
import type { ShipmentLog, TrackingPlace } from '../store/shipment-log.js'
import { column, optionalColumn, type Database, type Row } from '../store/payload/database.js'
import { jsonDialect, type Values } from '../store/payload/json-dialect.js'
import { noticesSlug } from '../store/payload/notice-collection.js'
import { orderCondition } from '../store/payload/order-condition.js'
import { statusChangesField } from '../store/payload/order-fields.js'
import type { PayloadOrderReader } from '../store/payload/order-reader.js'
import { trackingTable } from '../store/payload/tracking-table.js'
import { readStatusChanges } from './status-history.js'

/** An order with all that tells what has happened to it. */
export interface ToldOrder {
  order: Order
  changes: StatusChange[]
  parcels: Parcel[]
  /** Undefined when it has no tracking entry. */
  tracking: Tracking | undefined
}

/** What the order itself says of its status, and not a draft of it. */
export interface StoredHistory {
  status: unknown
  isDraft: boolean
  changes: StatusChange[]
}

export interface ToldOrdersParts {
  database: Database
  options: Pick<ResolvedOptions, 'collections' | 'fields'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  reader: Pick<PayloadOrderReader, 'readWith'>
  settings: Pick<SettingsSource, 'shipping'>
  labelOf: StatusWords['labelOf']
  locateEntry: ShipmentLog['locateEntry']
}

/** Reads one order, and decides whether a failure is the order's own: then it has none to give. */
export type Attempt = (
  read: () => Promise<ToldOrder[]>,
  id: DocumentId,
) => Promise<ToldOrder[] | undefined>

/** Reads orders as their events need them. */
export function createToldOrders(parts: ToldOrdersParts) {
  const { database, options, reader, settings, labelOf, locateEntry } = parts
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const status = column(orders, options.fields.status)
  const changes = column(orders, statusChangesField)
  const optional = (name: string) => optionalColumn(orders, name) ?? sql`null`
  const json = jsonDialect(database)
  const parcels = parcelList(database, id)
  const isThere = orderCondition(orders, { window: undefined, store: undefined })

  async function read(
    ids: readonly DocumentId[],
    place: TrackingPlace | undefined,
  ): Promise<ToldOrder[]> {
    const also = {
      changes,
      number: optional(options.fields.number),
      site: optional(options.fields.site),
      parcels,
      accountEmail: accountEmail(parts),
      tracking: place ? trackingOf(database, options.collections.orders, place) : sql`null`,
    }
    const found = await reader.readWith(ids, also)
    return found.map(({ order, row }) => ({
      order: identified(order, row),
      changes: readStatusChanges(row.changes),
      parcels: json.parse(row.parcels).map((parcel) => toParcel(parcel as Values)),
      tracking: row.tracking === null ? undefined : toTracking(json.parse(row.tracking)),
    }))
  }

  return {
    /**
     * Orders in the order of the ids, without those that are being saved, and what their statuses
     * mean. Where a page cannot be read its orders are attempted one by one.
     */
    async readPage(
      ids: readonly DocumentId[],
      attempt: Attempt,
    ): Promise<{ orders: ToldOrder[]; words: StatusWords }> {
      const shipping = await settings.shipping()
      const located = locateEntry(shipping)
      const place = 'place' in located ? located.place : undefined
      const words = { shippedStatus: shipping.statusHandle, labelOf }
      try {
        return { words, orders: await read(ids, place) }
      } catch {
        const found: ToldOrder[] = []
        for (const each of ids)
          found.push(...((await attempt(() => read([each], place), each)) ?? []))
        return { words, orders: found }
      }
    },

    /** What the log calls an order that cannot be read as a whole. */
    async referenceOf(orderId: DocumentId): Promise<string> {
      const [row] = await database.rows(
        sql`select ${optional(options.fields.reference)} as "reference" from ${orders} where ${id} = ${orderId}`,
      )
      return typeof row?.reference === 'string' ? row.reference : String(orderId)
    },

    /** The id of the order of a number, or of this id and account. */
    async idOf(
      where: { number: string } | { id: DocumentId; customerId: DocumentId },
    ): Promise<DocumentId | undefined> {
      const isIt =
        'number' in where
          ? sql`${optional(options.fields.number)} = ${where.number}`
          : sql`${id} = ${where.id} and ${optional(options.fields.customer)} = ${where.customerId}`
      const [row] = await database.rows(
        sql`select ${id} as "id" from ${orders} where ${isIt} and ${isThere} limit 1`,
      )
      return row?.id as DocumentId | undefined
    },

    /**
     * Status and history as they are now; on PostgreSQL nobody else changes them before the request's
     * transaction is over.
     */
    async lockedHistory(orderId: DocumentId, req: PayloadRequest): Promise<StoredHistory> {
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

export type ToldOrders = ReturnType<typeof createToldOrders>

/** A store's `mapOrder` may know nothing of number, site and account. */
function identified(order: Order, { number, site, accountEmail: email }: Row): Order {
  const siteId = order.siteId ?? (site as DocumentId | null) ?? undefined
  return {
    ...(typeof email === 'string' && { accountEmail: email }),
    ...order,
    number: order.number ?? (typeof number === 'string' ? number : ''),
    ...(siteId !== undefined && { siteId }),
  }
}

function accountEmail({
  database,
  options: { collections, fields },
  customersSlug,
}: ToldOrdersParts): SQL {
  const customer = optionalColumn(database.table(collections.orders), fields.customer)
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const email = customers && optionalColumn(customers, 'email')
  if (!customers || !customer || !email) return sql`null`
  return sql`(select ${email} from ${customers} where ${column(customers, 'id')} = ${customer})`
}

function parcelList(database: Database, orderId: SQL | ReturnType<typeof column>): SQL {
  const notices = database.table(noticesSlug)
  const { array, list } = jsonDialect(database)
  const names = ['id', 'carrier', 'service', 'trackingNumber', 'createdAt']
  return sql`(select ${list(
    array(names.map((name) => column(notices, name))),
    column(notices, 'id'),
  )} from ${notices} where ${column(notices, 'order')} = ${orderId})`
}

function toParcel([id, carrier, service, trackingNumber, createdAt]: Values): Parcel {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    id: text(trackingNumber) || String(id),
    carrier: text(carrier),
    service: text(service),
    trackingNumber: text(trackingNumber),
    shippedAt: new Date(String(createdAt)),
  }
}

/** The order's tracking entry. */
function trackingOf(database: Database, ordersSlug: string, place: TrackingPlace): SQL {
  const { table, isEntryOf } = trackingTable(database, ordersSlug, place)
  const values = [place.carrier, place.service, place.trackingNumber]
  const order = column(database.table(ordersSlug), 'id')
  return sql`(select ${jsonDialect(database).array(values.map((name) => column(table, name)))}
    from ${table} where ${isEntryOf(sql`${order}`)} order by ${column(table, '_order')} limit 1)`
}

function toTracking([carrier, service, trackingNumber]: Values): Tracking {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    carrier: text(carrier),
    service: text(service),
    trackingNumber: text(trackingNumber),
  }
}
