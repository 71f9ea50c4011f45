import { sql, type SQL } from 'drizzle-orm'
import { consentColumns, readProofs } from '../../marketing/consent/checkout-consent.js'
import {
  column,
  columnOrNull,
  momentOf,
  optionalColumn,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonDialect, parsedJson } from '../../core/database/json-rows.js'
import type { Attempt } from '../../marketing/delivery/attempt.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { profileValue } from '../../marketing/delivery/send-table.js'
import {
  consentKey,
  lineIds,
  parcelIds,
  placedIds,
  statusIds,
} from '../../marketing/events/order-ids.js'
import { profileKey } from '../../marketing/klaviyo/profile.js'
import { namedValue, referenceOf } from '../../shop/orders/stored-value.js'
import {
  personErasedField,
  restoredAtField,
  statusChangesField,
} from '../../shop/orders/order-fields.js'
import { readStatusChanges, type StatusChange } from '../../shop/orders/status-history.js'
import type { Translator } from '../../core/payload/label.js'
import { noticesSlug } from '../../shipping/notice/notice-collection.js'
import { reportStored } from '../../shipping/export/skip-reason.js'
import { skippedOrdersSlug } from '../../shipping/export/skipped-orders.js'
import { pullsOfOrder } from '../../shipping/pulls.js'
import type { Shop } from '../../core/shop.js'
import {
  orderStory,
  personStory,
  type OrderFacts,
  type PersonFacts,
  type ToldOrder,
} from './story.js'
import type { Story, StoredSend } from './story-entry.js'

/** A page shows the newest of each. */
const most = { notices: 100, sends: 200, orders: 50 }

export type Stories = ReturnType<typeof createStories>

/** Reads what is stored of an order or a customer, each with six statements at most. */
export function createStories(shop: Shop, { sends }: Pick<DeliveryParts, 'sends'>) {
  const { database, options, customersSlug } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const customers = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const customer = optionalColumn(orders, fields.customer)
  const skipped = database.table(skippedOrdersSlug)
  const json = jsonDialect(database)
  const s = sends.as('s')

  const items = database.table(collections.orders, fields.items)
  const toldColumns = {
    id,
    createdAt: column(orders, 'createdAt'),
    reference: referenceOf(orders, options),
    number: columnOrNull(orders, fields.number),
    changes: column(orders, statusChangesField),
    personErased: column(orders, personErasedField),
    site: siteName(shop),
    restoredAt: column(orders, restoredAtField),
    consent: json.array(consentColumns(orders)),
  }
  const ofOrder = (of: 'reasons' | 'updatedAt') =>
    sql`(select ${column(skipped, of)} from ${skipped} where ${column(skipped, 'order')} = ${id})`
  const selected = (columns: Record<string, unknown>) =>
    sql.join(
      Object.entries(columns).map(([name, of]) => sql`${of} as ${sql.identifier(name)}`),
      sql`, `,
    )

  const readSends = async (condition: SQL): Promise<StoredSend[]> => {
    const names = [
      'id',
      'kind',
      'metric',
      'state',
      'acceptedAt',
      'nextAttemptAt',
      'sentAt',
    ] as const
    const rows = await database.rows(
      sql`select ${selected({
        ...Object.fromEntries(names.map((name) => [name, s[name]])),
        attempts: s.lastAttempts,
        error: s.errorDetail,
      })} from ${sends.table} as "s" where ${condition} order by ${s.id} desc limit ${most.sends}`,
    )
    return rows.map(storedSend)
  }

  const readNotices = async (orderId: DocumentId) => {
    const table = database.table(noticesSlug)
    const names = [
      ...['id', 'createdAt', 'updatedAt', 'carrier', 'service', 'trackingNumber', 'itemsLeft'],
      ...['statusBefore', 'statusAfter', 'repeats', 'recipient', 'notesToCustomer'],
    ]
    const rows = await database.rows(sql`select ${selected(
      Object.fromEntries(names.map((name) => [name, column(table, name)])),
    )} from ${table} where ${column(table, 'order')} = ${orderId}
      order by ${column(table, 'id')} desc limit ${most.notices}`)
    return rows.map(storedNotice)
  }

  /** The emails of the admins who changed the status. */
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

  const readOrder = async (orderId: DocumentId) => {
    const columns = {
      ...toldColumns,
      updatedAt: column(orders, 'updatedAt'),
      lines: sql`(select count(*) from ${items} where ${column(items, '_parentID')} = ${id})`,
      reasons: ofOrder('reasons'),
      skippedAt: ofOrder('updatedAt'),
    }
    const [row] = await database.rows(
      sql`select ${selected(columns)} from ${orders} where ${id} = ${orderId}`,
    )
    return row
  }

  const told = (row: Row): ToldOrder => ({
    id: row.id as DocumentId,
    reference: textOf(row.reference) ?? String(row.id),
    createdAt: new Date(String(row.createdAt)),
    site: textOf(row.site),
    restoredAt: momentOf(row.restoredAt),
    changes: readStatusChanges(row.changes),
    consent: readProofs(json.parse(row.consent)),
    personErased: textOf(row.personErased),
  })

  return {
    /** Undefined when there is no such order. */
    async ofOrder(
      orderId: DocumentId,
      translate: Translator,
    ): Promise<Omit<Story, 'statuses'> | undefined> {
      const row = await readOrder(orderId)
      if (row === undefined) return undefined
      const order = told(row)
      const notices = await readNotices(orderId)
      const keys = keysOf(order, { row, notices })
      const facts: OrderFacts = {
        order,
        notices,
        skipped: skippedOf(row, translate),
        sends: await readSends(database.isOneOf(s.key, keys)),
        pulls: await pullsOfOrder(shop, { ...order, updatedAt: new Date(String(row.updatedAt)) }),
        admins: await readAdmins(order.changes),
      }
      return { reference: order.reference, entries: orderStory(facts) }
    },

    /** Undefined when there is no such customer. */
    async ofCustomer(customerId: DocumentId): Promise<Omit<Story, 'statuses'> | undefined> {
      if (customers === undefined) return undefined
      const columns = {
        email: columnOrNull(customers, 'email'),
        createdAt: column(customers, 'createdAt'),
        ...consentStatusColumns(customers),
      }
      const [row] = await database.rows(sql`select ${selected(columns)} from ${customers}
        where ${column(customers, 'id')} = ${customerId}`)
      if (row === undefined) return undefined
      const bought =
        customer === undefined
          ? []
          : await database.rows(sql`select ${selected(toldColumns)} from ${orders}
              where ${customer} = ${customerId} order by ${id} desc limit ${most.orders}`)
      const account = String(customerId)
      // Those from before sends noted their account are found by the email, which has an index.
      const isOfBefore = sql`${s.account} is null
        and ${s.profile} = ${profileKey({ email: textOf(row.email) ?? '' })}
        and ${profileValue(database, s, 'externalId')} = ${account}`
      const facts: PersonFacts = {
        createdAt: new Date(String(row.createdAt)),
        consents: consentsOf(row),
        orders: bought.map(told),
        ordersSlug: collections.orders,
        sends: await readSends(sql`(${s.account} = ${account} or (${isOfBefore}))`),
      }
      return { entries: personStory(facts) }
    },
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function siteName(shop: Shop): SQL {
  const { database, options } = shop
  const sites = database.optionalTable(options.collections.sites)
  const name = sites && (optionalColumn(sites, 'name') ?? optionalColumn(sites, 'id'))
  if (!sites || !name) return sql`null`
  return sql`(select ${name} from ${sites} where ${column(sites, 'id')} = ${namedValue(shop, 'site')})`
}

const consentNames = { email: 'emailConsent', sms: 'smsConsent' } as const
const consentParts = ['status', 'since', 'source'] as const
const channels = ['email', 'sms'] as const

const consentStatusColumns = (customers: Parameters<typeof columnOrNull>[0]) =>
  Object.fromEntries(
    channels.flatMap((channel) =>
      consentParts.map((part) => [
        `${channel}_${part}`,
        columnOrNull(customers, `${consentNames[channel]}.${part}`),
      ]),
    ),
  )

const consentsOf = (row: Row): PersonFacts['consents'] =>
  channels.flatMap((channel) => {
    const status = textOf(row[`${channel}_status`])
    if (status === undefined || status === 'never') return []
    const since = momentOf(row[`${channel}_since`])
    return [{ channel, status, since, source: textOf(row[`${channel}_source`]) ?? '' }]
  })

function skippedOf({ reasons, skippedAt }: Row, translate: Translator): OrderFacts['skipped'] {
  const at = momentOf(skippedAt)
  if (typeof reasons !== 'string' || at === undefined) return undefined
  const sentences = reportStored(reasons, translate).map(({ message }) => message)
  return { at, reasons: sentences.join(' ') }
}

function storedNotice(row: Row): OrderFacts['notices'][number] {
  const [from, to] = [textOf(row.statusBefore), textOf(row.statusAfter)]
  const [recipient, notes] = [textOf(row.recipient), textOf(row.notesToCustomer)]
  return {
    is: 'notice',
    notice: row.id as DocumentId,
    at: new Date(String(row.createdAt)),
    repeatedAt: new Date(String(row.updatedAt)),
    carrier: String(row.carrier ?? ''),
    service: String(row.service ?? ''),
    trackingNumber: String(row.trackingNumber ?? ''),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(row.itemsLeft !== null && { itemsLeft: Number(row.itemsLeft) }),
    repeats: Number(row.repeats ?? 0),
    ...(recipient !== undefined && { recipient }),
    ...(notes !== undefined && { notesToCustomer: notes }),
  }
}

function storedSend(row: Row): StoredSend {
  const metric = textOf(row.metric)
  return {
    id: row.id as DocumentId,
    kind: row.kind as StoredSend['kind'],
    ...(metric !== undefined && { metric }),
    state: row.state as StoredSend['state'],
    acceptedAt: new Date(String(row.acceptedAt)),
    nextAttemptAt: momentOf(row.nextAttemptAt),
    sentAt: momentOf(row.sentAt),
    attempts: (parsedJson(row.attempts) as Attempt[] | null) ?? [],
    error: String(row.error ?? ''),
  }
}

/**
 * The keys of all sends that an order can have: they follow from its lines, its status history and its
 * parcels, so that each is found by the unique index.
 */
function keysOf(
  { id, changes }: ToldOrder,
  { row, notices }: { row: Row; notices: OrderFacts['notices'] },
): string[] {
  const number = textOf(row.number)
  const order = { id, ...(number !== undefined && { number }) }
  const statuses = new Set(changes.map(({ status }) => status))
  for (const { to } of notices) if (to !== undefined) statuses.add(to)
  return [
    placedIds(order).key,
    consentKey(order),
    ...Array.from({ length: Number(row.lines) }, (_, index) => lineIds(order, index).key),
    ...changes.map((change) => statusIds(order, change).key),
    ...notices.flatMap(({ notice, carrier, service, trackingNumber }) => {
      const parcel = { id: trackingNumber || String(notice), carrier, service, trackingNumber }
      return [...statuses].map((status) => parcelIds(order, status, parcel).key)
    }),
  ]
}
