import { sql, type SQL } from 'drizzle-orm'
import type { Field, FieldAccess, PayloadRequest } from 'payload'
import {
  column,
  momentOf,
  optionalColumn,
  type Database,
  type PayloadTable,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { noteInDocument } from '../../core/database/document-tables.js'
import type { ChannelConsent, ConsentStatus } from '../klaviyo/find-consents.js'
import type { Channel } from '../klaviyo/message.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Profile } from '../klaviyo/profile.js'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { label } from '../../core/payload/label.js'

const statuses = ['subscribed', 'unsubscribed', 'never'] as const satisfies ConsentStatus[]

const fieldOf = { email: 'emailConsent', sms: 'smsConsent' } as const satisfies Record<
  Channel,
  string
>

const statusLabels = {
  subscribed: 'consentSubscribed',
  unsubscribed: 'consentUnsubscribed',
  never: 'consentNever',
} as const

/** Only Storeconnect writes them. Customers may read their own. */
export const customerConsentFields = (customersSlug: string, isAdmin: IsAdmin): Field[] => [
  {
    type: 'collapsible',
    label: label('consents'),
    admin: { initCollapsed: true, description: label('consentsDescription') },
    fields: [
      consentField('email', customersSlug, isAdmin),
      consentField('sms', customersSlug, isAdmin),
    ],
  },
]

const consentField = (channel: Channel, customersSlug: string, isAdmin: IsAdmin): Field => ({
  name: fieldOf[channel],
  type: 'group',
  label: label(fieldOf[channel]),
  access: {
    create: () => false,
    update: () => false,
    read: (async ({ req, id }) =>
      isOwn(req, customersSlug, id) || (await isAdmin({ req }))) satisfies FieldAccess,
  },
  admin: { readOnly: true },
  fields: [
    {
      type: 'row',
      fields: [
        {
          name: 'status',
          type: 'select',
          label: label('consentStatus'),
          defaultValue: 'never',
          options: statuses.map((value) => ({ value, label: label(statusLabels[value]) })),
        },
        { name: 'since', type: 'date', label: label('since') },
        { name: 'source', type: 'text', label: label('consentSource') },
      ],
    },
  ],
})

const isOwn = (
  { user }: PayloadRequest,
  customersSlug: string,
  id: DocumentId | undefined,
): boolean => id !== undefined && user?.collection === customersSlug && user.id === id

export interface CustomerConsents extends Record<Channel, ChannelConsent> {
  id: DocumentId
}

/** By SQL, so that no hook of the store runs. Undefined in a store whose customers have no such fields. */
export function createCustomerConsents(
  database: Database,
  {
    customersSlug,
    emailIsUnchanged,
  }: {
    /** Undefined in a store without accounts. */
    customersSlug: string | undefined
    /** Whether an account still has the email that was verified. */
    emailIsUnchanged: (customers: PayloadTable) => SQL
  },
) {
  const table = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const email = table && optionalColumn(table, 'email')
  const hasFields = Object.values(fieldOf).every(
    (field) => table && optionalColumn(table, `${field}.since`),
  )
  if (!customersSlug || table === undefined || email === undefined || !hasFields) return undefined
  const id = column(table, 'id')
  const columnsOf = (channel: Channel) =>
    (['status', 'since', 'source'] as const).map(
      (field) =>
        sql`${column(table, `${fieldOf[channel]}.${field}`)} as ${sql.identifier(`${channel}_${field}`)}`,
    )
  const selected = sql.join([...columnsOf('email'), ...columnsOf('sms')], sql`, `)
  const isFollowed = emailIsUnchanged(table)

  const findWhere = async (
    condition: SQL,
    profiles: readonly Profile[],
  ): Promise<Map<string, CustomerConsents>> => {
    const emails = profiles.flatMap((profile) => profile.email?.toLowerCase() ?? [])
    if (emails.length === 0) return new Map()
    const rows = await database.rows(sql`select ${id} as "id", ${email} as "email", ${selected}
      from ${table} where ${database.isOneOf(email, [...new Set(emails)])} and ${condition}`)
    return new Map(
      rows.map((row) => [
        profileKey({ email: String(row.email) }),
        { id: row.id as DocumentId, email: readRow(row, 'email'), sms: readRow(row, 'sms') },
      ]),
    )
  }

  return {
    /** By `profileKey`. */
    find: (profiles: readonly Profile[]) => findWhere(sql`true`, profiles),

    /** Without customers who took somebody else's address: they are not shown that consent. */
    findFollowed: (profiles: readonly Profile[]) => findWhere(isFollowed, profiles),

    async after(
      last: DocumentId | undefined,
      limit: number,
    ): Promise<{ id: DocumentId; email: string }[]> {
      const rows = await database.rows(sql`select ${id} as "id", ${email} as "email" from ${table}
        where ${isFollowed} and ${last === undefined ? sql`true` : sql`${id} > ${last}`}
        order by ${id} limit ${limit}`)
      return rows.map((row) => ({ id: row.id as DocumentId, email: String(row.email) }))
    },

    /** Writes nothing once another process delivers. `updatedAt` stays: no feed takes it for a change. */
    async write(
      customer: DocumentId,
      {
        channel,
        consent,
        isLeaseHeld,
      }: { channel: Channel; consent: ChannelConsent; isLeaseHeld: SQL },
    ): Promise<void> {
      const field = fieldOf[channel]
      const values = {
        [`${field}_status`]: consent.status,
        [`${field}_since`]: consent.since?.toISOString() ?? null,
        [`${field}_source`]: consent.source.slice(0, 100),
      }
      const note = { slug: customersSlug, id: customer, values, condition: isLeaseHeld }
      await noteInDocument(database, note)
    },
  }
}

function readRow(row: Row, channel: Channel): ChannelConsent {
  const [status, since, source] = ['status', 'since', 'source'].map(
    (field) => row[`${channel}_${field}`],
  )
  return {
    status: statuses.find((each) => each === status) ?? 'never',
    since: momentOf(since),
    source: typeof source === 'string' ? source : '',
  }
}
