import { sql, type SQL } from 'drizzle-orm'
import {
  columnOrNull,
  column,
  momentOf,
  type PayloadTable,
  type Row,
  selected,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonDialect, parsedJson } from '../../core/database/json-rows.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Shop } from '../../core/shop.js'
import { consentColumns, readProofs } from '../../marketing/consent/checkout-consent.js'
import type { Attempt } from '../../marketing/delivery/attempt.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import type { SendWait } from '../../marketing/delivery/send-wait.js'
import { profileValue } from '../../marketing/delivery/send-table.js'
import {
  consentKey,
  lineIds,
  parcelIds,
  parcelStateIds,
  placedIds,
  requestIds,
  statusIds,
} from '../../marketing/events/order-ids.js'
import { textOf } from '../../core/payload/document-value.js'
import type { OrderFacts, PersonFacts, StoryOrder } from './story.js'
import type { StoredSend } from './story-entry.js'

/** A page shows the newest. */
const mostSends = 200

export function createMarketingStory(
  { database, options: { collections, fields } }: Shop,
  { sends, sendWaits }: Pick<DeliveryParts, 'sends' | 'sendWaits'>,
) {
  const s = sends.as('s')
  const orders = database.table(collections.orders)
  const items = database.table(collections.orders, fields.items)
  const json = jsonDialect(database)

  const readSends = async (condition: SQL, most = mostSends): Promise<StoredSend[]> => {
    const { id, kind, metric, state, acceptedAt, sentAt } = s
    const rows = await database.rows(
      sql`select ${selected({
        ...{ id, kind, metric, state, acceptedAt, sentAt },
        attempts: s.lastAttempts,
        code: s.errorCode,
        error: s.errorDetail,
        email: profileValue(database, s, 'email'),
      })} from ${sends.table} as "s" where ${condition} order by ${s.id} desc limit ${most}`,
    )
    const waiting = rows.filter((row) => row.state === 'queued' || row.state === 'sending')
    const waits = await sendWaits(waiting.map((row) => Number(row.id)))
    return rows.map((row) => storedSend(row, waits.get(Number(row.id))))
  }

  return {
    /** To select with each order. */
    columns: { consent: json.array(consentColumns(orders)) },

    /** To select with the order that the story is about. */
    orderColumns: {
      number: columnOrNull(orders, fields.number),
      lines: sql`(select count(*) from ${items}
        where ${column(items, '_parentID')} = ${column(orders, 'id')})`,
    },

    customerColumns: consentStatusColumns,
    consentOf: (row: Row) => readProofs(json.parse(row.consent)),
    consentsOf,

    sendsOfOrder: (order: StoryOrder, row: Row, shipped: Pick<OrderFacts, 'notices' | 'parcels'>) =>
      readSends(database.isOneOf(s.key, keysOf(order, { row, ...shipped }))),

    /** The newest of a person, by the account and by the keys of profiles, each by its index. */
    sendsOfPerson(
      { account, profiles }: { account: DocumentId | undefined; profiles: readonly string[] },
      most: number,
    ) {
      const isOne = database.isOneOf(s.profile, profiles)
      const ofProfiles = sql`select ${s.id} from ${sends.table} as "s" where ${isOne}`
      const ofAccount = sql`union select ${s.id} from ${sends.table} as "s"
        where ${s.account} = ${String(account)}`
      return readSends(
        sql`${s.id} in (${ofProfiles} ${account === undefined ? sql`` : ofAccount})`,
        most,
      )
    },

    sendsOfCustomer(id: DocumentId, email: string) {
      const account = String(id)
      // Those from before sends noted their account are found by the email, which has an index.
      const isOfBefore = sql`${s.account} is null
        and ${s.profile} = ${profileKey({ email })}
        and ${profileValue(database, s, 'externalId')} = ${account}`
      return readSends(sql`(${s.account} = ${account} or (${isOfBefore}))`)
    },
  }
}

const consentNames = { email: 'emailConsent', sms: 'smsConsent' } as const
const consentParts = ['status', 'since', 'source'] as const
const channels = ['email', 'sms'] as const

const consentStatusColumns = (customers: PayloadTable) =>
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

function storedSend(row: Row, wait: SendWait | undefined): StoredSend {
  const metric = textOf(row.metric)
  return {
    id: row.id as DocumentId,
    kind: row.kind as StoredSend['kind'],
    ...(metric !== undefined && { metric }),
    state: row.state as StoredSend['state'],
    acceptedAt: new Date(String(row.acceptedAt)),
    wait,
    sentAt: momentOf(row.sentAt),
    attempts: (parsedJson(row.attempts) as Attempt[] | null) ?? [],
    code: String(row.code ?? ''),
    error: String(row.error ?? ''),
    email: textOf(row.email),
  }
}

/** The keys of all sends that an order can have, so that each is found by the unique index. */
function keysOf(
  { id, changes }: StoryOrder,
  { row, notices, parcels }: { row: Row } & Pick<OrderFacts, 'notices' | 'parcels'>,
): string[] {
  const number = textOf(row.number)
  const order = { id, ...(number !== undefined && { number }) }
  const statuses = new Set(changes.map(({ status }) => status))
  for (const { to } of notices) if (to !== undefined) statuses.add(to)
  return [
    placedIds(order).key,
    consentKey(order),
    requestIds(order).key,
    ...Array.from({ length: Number(row.lines) }, (_, index) => lineIds(order, index).key),
    ...changes.map((change) => statusIds(order, change).key),
    ...notices.flatMap(({ notice, carrier, service, trackingNumber }) => {
      const parcel = { id: trackingNumber || String(notice), carrier, service, trackingNumber }
      return [...statuses].map((status) => parcelIds(order, status, parcel).key)
    }),
    ...parcels.flatMap((parcel) =>
      (parcel.states ?? []).map(({ state }) => parcelStateIds(order, state, parcel).key),
    ),
  ]
}
