import { sql } from 'drizzle-orm'
import {
  column,
  columnOrNull,
  momentOf,
  optionalColumn,
  type Row,
  selected,
} from '../../core/database/database.js'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import type { Translator } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import {
  personErasedField,
  restoredAtField,
  statusChangesField,
} from '../../shop/orders/order-fields.js'
import { readStatusChanges, type StatusChange } from '../../shop/orders/status-history.js'
import { valueOfSite } from '../../shop/orders/order-rows.js'
import { referenceOf } from '../../shop/orders/stored-value.js'
import type { Payments } from '../../shop/payments/payments.js'
import type { createMarketingStory } from './marketing-story.js'
import { textOf } from '../../core/payload/document-value.js'
import type { createShippingStory } from './shipping-story.js'
import { orderStory, personStory, type PersonFacts, type StoryOrder } from './story.js'
import type { Standing, Story } from './story-entry.js'

/** A page shows the newest. */
const mostOrders = 50

const nothingShipped = {
  ...{ skipped: undefined, pulls: [], notices: [], parcels: [] },
  standing: undefined,
}

export type Stories = ReturnType<typeof createStories>

/** Reads what is stored of an order or a customer, each with seven statements at most, and three more where sends wait. */
export function createStories(
  shop: Shop,
  {
    payments,
    shipping,
    marketing,
  }: {
    payments: Payments | undefined
    shipping: ReturnType<typeof createShippingStory> | undefined
    marketing: ReturnType<typeof createMarketingStory> | undefined
  },
) {
  const { database, options, customersSlug } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const customer = optionalColumn(orders, fields.customer)
  const orderColumns = {
    id,
    createdAt: column(orders, 'createdAt'),
    reference: referenceOf(orders, options),
    changes: column(orders, statusChangesField),
    personErased: column(orders, personErasedField),
    site: valueOfSite(shop, 'name', 'id'),
    restoredAt: column(orders, restoredAtField),
    ...marketing?.columns,
  }

  const readAdmins = async (changes: readonly StatusChange[]): Promise<Map<string, string>> => {
    const ids = [...new Set(changes.flatMap(({ admin }) => admin ?? []))]
    const users = database.optionalTable(shop.payload.config.admin.user)
    const email = users && optionalColumn(users, 'email')
    if (ids.length === 0 || users === undefined || email === undefined) return new Map()
    const userId = column(users, 'id')
    const rows = await database.rows(sql`select ${userId} as "id", ${email} as "email"
      from ${users} where ${database.isOneOf(userId, ids)}`)
    return new Map(rows.map((row) => [String(row.id), String(row.email)]))
  }

  const moments = { createdAt: orderColumns.createdAt, updatedAt: column(orders, 'updatedAt') }

  const readOrder = async (orderId: DocumentId, columns: object): Promise<Row | undefined> => {
    const [row] = await database.rows(
      sql`select ${selected({ ...columns, ...moments })} from ${orders} where ${id} = ${orderId}`,
    )
    return row
  }

  const momentsOf = (row: Row) => ({
    createdAt: new Date(String(row.createdAt)),
    updatedAt: new Date(String(row.updatedAt)),
  })

  const storyOrderOf = (row: Row): StoryOrder => ({
    id: row.id as DocumentId,
    reference: textOf(row.reference) ?? String(row.id),
    createdAt: new Date(String(row.createdAt)),
    site: textOf(row.site),
    restoredAt: momentOf(row.restoredAt),
    changes: readStatusChanges(row.changes),
    consent: marketing?.consentOf(row) ?? {},
    personErased: textOf(row.personErased),
  })

  return {
    async ofOrder(
      orderId: DocumentId,
      translate: Translator,
    ): Promise<Omit<Story, 'statuses'> | undefined> {
      const atShipStation = await shipping?.standing()
      const ofProducts = { ...marketing?.orderColumns, ...atShipStation?.columns }
      const row = await readOrder(orderId, { ...orderColumns, ...ofProducts })
      if (row === undefined) return undefined
      const order = storyOrderOf(row)
      const { standing, ...shipped } = atShipStation
        ? await atShipStation.ofOrder({ ...order, ...momentsOf(row), row }, translate)
        : nothingShipped
      const entries = orderStory({
        order,
        ...shipped,
        sends: (await marketing?.sendsOfOrder(order, row, shipped)) ?? [],
        payments: (await payments?.ofOrder(orderId)) ?? [],
        paymentsSlug: collections.transactions,
        admins: await readAdmins(order.changes),
      })
      return {
        ...(shipping && { reference: order.reference }),
        ...(standing && { standing }),
        entries,
      }
    },

    /** The order of this number, or of the id that stands for one; undefined without such an order. */
    async orderNamed(named: string): Promise<{ id: DocumentId; reference: string } | undefined> {
      const ownId = readDocumentId(shop.payload, collections.orders, named)
      const conditions = [
        ...(named === '' ? [] : [sql`${columnOrNull(orders, fields.number)} = ${named}`]),
        ...(ownId === undefined ? [] : [sql`${id} = ${ownId}`]),
      ]
      for (const condition of conditions) {
        const [row] =
          await database.rows(sql`select ${id} as "id", ${orderColumns.reference} as "reference"
          from ${orders} where ${condition} limit 1`)
        if (row)
          return { id: row.id as DocumentId, reference: textOf(row.reference) ?? String(row.id) }
      }
      return undefined
    },

    /** How an order stands at ShipStation; undefined when there is nothing to say. */
    async standingOf(orderId: DocumentId, translate: Translator): Promise<Standing | undefined> {
      const atShipStation = await shipping?.standing()
      const row = atShipStation && (await readOrder(orderId, atShipStation.columns))
      if (!atShipStation || row === undefined) return undefined
      const asked = [{ id: orderId, ...momentsOf(row), row }]
      return (await atShipStation.ofOrders(asked, translate))[0]
    },

    async ofCustomer(customerId: DocumentId): Promise<Omit<Story, 'statuses'> | undefined> {
      if (customers === undefined) return undefined
      const columns = {
        email: columnOrNull(customers, 'email'),
        createdAt: column(customers, 'createdAt'),
        ...marketing?.customerColumns(customers),
      }
      const [row] = await database.rows(sql`select ${selected(columns)} from ${customers}
        where ${column(customers, 'id')} = ${customerId}`)
      if (row === undefined) return undefined
      const bought =
        customer === undefined
          ? []
          : await database.rows(sql`select ${selected(orderColumns)} from ${orders}
              where ${customer} = ${customerId} order by ${id} desc limit ${mostOrders}`)
      const facts: PersonFacts = {
        createdAt: new Date(String(row.createdAt)),
        consents: marketing?.consentsOf(row) ?? [],
        orders: bought.map(storyOrderOf),
        ordersSlug: collections.orders,
        payments: (await payments?.ofCustomer(customerId)) ?? [],
        paymentsSlug: collections.transactions,
        sends: (await marketing?.sendsOfCustomer(customerId, textOf(row.email) ?? '')) ?? [],
      }
      return { entries: personStory(facts) }
    },
  }
}
