import { sql, type SQL } from 'drizzle-orm'
import { momentOf, type Row } from '../../core/database/database.js'
import { jsonRows, parsedJson } from '../../core/database/json-rows.js'
import type { OwnSubscription } from '../klaviyo/may-subscribe.js'
import type { Message } from '../klaviyo/message.js'
import type { Profile } from '../klaviyo/profile.js'
import type { SendStatements } from './send-statements.js'
import { checked, profileValue } from './send-table.js'

/** The most subscriptions of one kind and profile. Anybody can post more, but nothing depends on older ones. */
const subscriptionsOfKind = 50

/** The values that a send has for its profile. */
export interface SendValues {
  id: number
  profile: Profile
}

/** Reads what other sends say of the people of a call. */
export function sendsOfPeople({
  database,
  table,
  shape,
  s,
  byWaitingIndex,
  pieces,
}: SendStatements) {
  return {
    /** The values of waiting sends of these profiles that were in a call before. */
    async readRepeats(profiles: readonly string[]): Promise<SendValues[]> {
      const found: Row[] = []
      await pieces.each(profiles, async (some) => {
        const isRepeat = sql`${s.kind} <> 'past-event' and (${s.attempts} > 0 or ${s.call} is not null)`
        const query = sql`select ${s.id} as "id", ${s.message} as "message" from ${table} as "s"
          where ${database.isOneOf(s.profile, some)} and ${s.state} = 'queued' and ${checked(isRepeat)}`
        found.push(...(await database.rows(query)))
      })
      return found.map(({ id, message }) => ({
        id: Number(id),
        profile: (parsedJson(message) as Message).profile,
      }))
    },

    /** The values that later events and identifies of these profiles have sent since. The same values are there once. */
    async readSentAfter(
      earlier: readonly { profile: string; id: number }[],
    ): Promise<SendValues[]> {
      const found: Row[] = []
      const values = database.isSqlite
        ? sql`${s.message} -> '$.profile'`
        : sql`${s.message} -> 'profile'`
      await pieces.each(earlier, async (some) => {
        const { profile, id } = shape
        const query = sql`select max(${s.id}) as "id", ${values} as "profile"
          from ${jsonRows(database, { profile, id }, some)} as "earlier"
          join ${table} as "s" on ${s.profile} = "earlier"."profile" and ${s.state} = 'sent'
            and ${s.id} > "earlier"."id"
          where ${checked(sql`${s.kind} in ('event', 'identify')`)} group by ${values}`
        found.push(...(await database.rows(query)))
      })
      return found.map((row) => ({
        id: Number(row.id),
        profile: parsedJson(row.profile) as Profile,
      }))
    },

    /** When an event or identify of these profiles was last sent, between two moments. */
    async readLastSent(
      profiles: readonly string[],
      { from, to }: { from: Date; to: Date },
    ): Promise<Map<string, Date>> {
      const found: Row[] = []
      await pieces.each(profiles, async (some) => {
        const isBetween = sql`${s.kind} in ('event', 'identify')
          and ${s.sentAt} > ${from.toISOString()} and ${s.sentAt} <= ${to.toISOString()}`
        const query = sql`select ${s.profile} as "profile", max(${s.sentAt}) as "sentAt"
          from ${table} as "s" where ${database.isOneOf(s.profile, some)} and ${s.state} = 'sent'
            and ${checked(isBetween)} group by ${s.profile}`
        found.push(...(await database.rows(query)))
      })
      return new Map(
        found.map(({ profile, sentAt }) => [String(profile), new Date(String(sentAt))]),
      )
    },

    /** The newest subscriptions of people and their ends, also those with these phone numbers; the earliest first. */
    async readSubscriptions(
      profiles: readonly string[],
      phoneNumbers: readonly string[],
    ): Promise<OwnSubscription[]> {
      const byId = new Map<number, Row>()
      const read = async (where: SQL): Promise<void> => {
        const rows =
          await database.rows(sql`select * from (select ${s.id} as "id", ${s.message} as "message",
            ${s.acceptedAt} as "acceptedAt",
            case when ${s.state} = 'sent' then ${s.sentAt} end as "sentAt",
            row_number() over (partition by ${s.profile}, ${s.kind} order by ${s.id} desc) as "place"
          from ${table} as "s" ${where}) as "newest" where "place" <= ${subscriptionsOfKind}`)
        for (const row of rows) byId.set(Number(row.id), row)
      }
      const isOfKind = checked(sql`${s.kind} in ('subscribe', 'consent', 'unsubscribe')`)
      await pieces.each(profiles, (some) =>
        read(sql`where ${database.isOneOf(s.profile, some)} and ${isOfKind}`),
      )
      await pieces.each(phoneNumbers, (some) => {
        const isOfPhone = database.isOneOf(profileValue(database, s, 'phoneNumber'), some)
        return read(sql`${byWaitingIndex} where ${s.kind} = 'unsubscribe' and ${isOfPhone}`)
      })
      return [...byId]
        .sort(([one], [other]) => one - other)
        .flatMap(([id, row]) => {
          const message = parsedJson(row.message) as Message
          if (message.kind !== 'subscribe' && message.kind !== 'unsubscribe') return []
          const acceptedAt = new Date(String(row.acceptedAt))
          return { id, message, acceptedAt, sentAt: momentOf(row.sentAt) }
        })
    },
  }
}
