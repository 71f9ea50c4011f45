import { sql } from 'drizzle-orm'
import type { PayloadRequest, Field } from 'payload'
import { emailIsUnchanged } from '../../carts/accounts/verified-email.js'
import { namedValue, referenceOf } from '../../shop/orders/stored-value.js'
import type { Order } from '../../shop/orders/order.js'
import { giverFields } from '../../shop/orders/order-fields.js'
import { consentColumns, readProofs, type CheckoutConsent } from '../consent/checkout-consent.js'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import { column, columnOrNull, type Row } from '../../core/database/database.js'
import { publicationStatus } from '../../core/database/publication-status.js'
import { jsonDialect } from '../../core/database/json-rows.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import { fieldsOfOrders, statusChangesField } from '../../shop/orders/order-fields.js'
import { accountEmail, type FurtherColumns } from '../../shop/orders/order-rows.js'
import type { Parcel, StatusWords, Tracking } from '../../shop/orders/happening.js'
import { readStatusChanges, type StatusChange } from '../../shop/orders/status-history.js'
import { guarded } from './store-code.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { Shop } from '../../core/shop.js'
import { valueAt, textOf } from '../../core/payload/document-value.js'
import { findField } from '../../core/payload/field-search.js'

/** In English: the label of the option, else the handle in words. */
export function statusLabels(
  orderFields: readonly Field[],
  statusField: string,
): (status: string) => string {
  const field = findField(orderFields, statusField)
  const options = field?.type === 'select' || field?.type === 'radio' ? field.options : []
  return (status) => {
    const option = options.find((each) => typeof each !== 'string' && each.value === status)
    return englishOf(valueAt(option, 'label')) ?? inWords(status)
  }
}

/** Undefined for a label that is a function, as it depends on the admin's language. */
function englishOf(label: unknown): string | undefined {
  const english = typeof label === 'string' ? label : valueAt(label, 'en')
  return typeof english === 'string' ? english : undefined
}

/** `on-hold` is `On Hold`. */
const inWords = (handle: string): string =>
  handle
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

export interface OrderRecord {
  order: Order
  changes: StatusChange[]
  parcels: Parcel[]
  tracking: Tracking | undefined
  consent: CheckoutConsent
  /** The address that the shopper had when they ordered; blank when not known. */
  consentEmail: string
}

/** Names an order by its number, or by an untrusted id together with the account that it must belong to. */
export type NamedOrder = { number: string } | { id: string; customerId: DocumentId }

/** Undefined when the order itself cannot be read. Rejects when the failure has another cause. */
type Attempt = (
  read: () => Promise<OrderRecord[]>,
  id: DocumentId,
) => Promise<OrderRecord[] | undefined>

interface Shipped extends Pick<
  Awaited<ReturnType<ShippingParts['parcelsOfOrders']>>,
  'shippedStatus' | 'read'
> {
  columns: FurtherColumns
}

/** A shop without ShipStation knows that an order is shipped by its status alone. */
const nothingShipped: Shipped = {
  shippedStatus: 'shipped',
  columns: {},
  read: () => ({ parcels: [], tracking: undefined }),
}

export const shippedIn = async (
  parcelsOfOrders: ShippingParts['parcelsOfOrders'] | undefined,
): Promise<Shipped> => (await parcelsOfOrders?.()) ?? nothingShipped

export type OrderRecords = ReturnType<typeof createOrderRecords>

/** The status and status history of the order itself, as opposed to those of a draft of it. */
export type StoredStatus = Awaited<ReturnType<OrderRecords['lockedStatus']>>

export function createOrderRecords(
  shop: Shop,
  { reader, parcelsOfOrders }: OrderParts & Partial<ShippingParts>,
) {
  const { payload, database, options } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const status = column(orders, fields.status)
  const changes = column(orders, statusChangesField)
  const optional = (name: string) => columnOrNull(orders, name)
  const isThere = reportedCondition(shop)
  const json = jsonDialect(database)
  const labelOf = statusLabels(fieldsOfOrders(payload, options), fields.status)
  const further = {
    changes,
    number: optional(fields.number),
    site: namedValue(shop, 'site'),
    consent: json.array(consentColumns(orders)),
    consentEmail: optional(giverFields.email),
    accountEmail: accountEmail(shop, emailIsUnchanged),
  }

  async function read(ids: readonly DocumentId[], shipped: Shipped): Promise<OrderRecord[]> {
    const found = await reader.readWith(ids, { ...further, ...shipped.columns })
    return found.map(({ order, row }) => ({
      order: identified(order, row),
      changes: readStatusChanges(row.changes),
      consent: readProofs(json.parse(row.consent)),
      consentEmail: textOf(row.consentEmail) ?? '',
      ...shipped.read(row),
    }))
  }

  /** For the log, when the order cannot be read as a whole. */
  async function nameOf(orderId: DocumentId) {
    const [row] = await database.rows(
      sql`select ${referenceOf(orders, options)} as "reference" from ${orders} where ${id} = ${orderId}`,
    )
    return { reference: typeof row?.reference === 'string' ? row.reference : String(orderId) }
  }

  const attemptGuarded: Attempt = (readOne, orderId) =>
    guarded(shop, readOne, {
      about: () => nameOf(orderId),
      sentence: 'An order could not be read, and is not reported',
    })

  return {
    /**
     * In the order of their ids, without those that are being saved. When the page cannot be read as a whole, each
     * order is read on its own; `hasFailed` says that at least one could not be read.
     */
    async readPage(
      ids: readonly DocumentId[],
      attempt = attemptGuarded,
    ): Promise<{ orders: OrderRecord[]; words: StatusWords; hasFailed: boolean }> {
      const shipped = await shippedIn(parcelsOfOrders)
      const words = { shippedStatus: shipped.shippedStatus, labelOf }
      try {
        return { words, orders: await read(ids, shipped), hasFailed: false }
      } catch {
        const found: (OrderRecord[] | undefined)[] = []
        for (const each of ids) found.push(await attempt(() => read([each], shipped), each))
        const orders = found.flatMap((own) => own ?? [])
        return { words, orders, hasFailed: found.includes(undefined) }
      }
    },

    async idOf(where: NamedOrder): Promise<DocumentId | undefined> {
      const isNamed =
        'number' in where
          ? sql`${optional(fields.number)} = ${where.number}`
          : sql`${id} = ${readDocumentId(payload, collections.orders, where.id) ?? null}
              and ${optional(fields.customer)} = ${where.customerId}`
      const [row] = await database.rows(
        sql`select ${id} as "id" from ${orders} where ${isNamed} and ${isThere} limit 1`,
      )
      return row?.id as DocumentId | undefined
    },

    /** On PostgreSQL the order stays locked until the request's transaction ends. */
    lockedStatus: async (orderId: DocumentId, req: PayloadRequest) => {
      const connection = await database.within(req)
      const [row] = await connection.rows(sql`select ${status} as "status", ${changes} as "changes",
          ${publicationStatus(database, orders) ?? sql`null`} as "published"
        from ${orders} where ${id} = ${orderId} ${database.isSqlite ? sql`` : sql`for update`}`)
      return {
        status: row?.status,
        isDraft: row?.published === 'draft',
        changes: readStatusChanges(row?.changes),
      }
    },
  }
}

/** Adds number, site and account email where a store's `orders.map` leaves them out. */
function identified(order: Order, { number, site, accountEmail: email }: Row): Order {
  const siteId = order.siteId ?? (site as DocumentId | null) ?? undefined
  return {
    ...(typeof email === 'string' && { accountEmail: email }),
    ...order,
    number: order.number ?? textOf(number) ?? '',
    ...(siteId !== undefined && { siteId }),
  }
}
