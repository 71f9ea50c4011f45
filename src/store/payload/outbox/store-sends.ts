import { sql, type SQL } from 'drizzle-orm'
import { laneOf, type Lane, type NewSend } from '../../../delivery/outbox.js'
import type { Message } from '../../../marketing/message.js'
import { profileKey } from '../../../marketing/profile.js'
import { isKeyOf } from '../../../marketing/send-key.js'
import type { Connection } from '../database.js'
import { jsonRows, type JsonShape } from './json-rows.js'
import { firstLookMs } from './released-sends.js'
import { isUnfinished, type SendField, type SendTable } from './send-table.js'

const shape = {
  place: 'integer',
  key: 'text',
  previousKey: 'text',
  foldSince: 'time',
  after: 'text',
  kind: 'text',
  lane: 'text',
  profile: 'text',
  list: 'text',
  metric: 'text',
  uniqueId: 'text',
  message: 'json',
  bytes: 'integer',
  acceptedAt: 'time',
  lookAgainAt: 'time',
} satisfies JsonShape

/** Where the statements run; by itself each is a transaction of its own. */
type Reader = Pick<Connection, 'rows'>

/** Stores sends with one statement, and repeats that are none with another. */
export async function storeSends(
  sends: SendTable,
  posted: readonly NewSend[],
  connection: Reader = sends.database,
): Promise<void> {
  const stored = await insertSends(sends, posted, connection)
  const left = posted.filter(
    ({ key, otherwise }) => otherwise && !stored.has(key) && !stored.has(otherwise.key),
  )
  const repeats = left.filter(
    (send, index) => left.findIndex(({ key }) => key === send.key) === index,
  )
  if (repeats.length === 0) return
  const lastKeys = await readLastKeys(sends, repeats, connection)
  const others = repeats.filter((send) => !isToldLast(send, lastKeys.get(profileOf(send))))
  if (others.length > 0) await insertSends(sends, others.map(asOther), connection)
}

/** Keys of what each profile was told last. */
async function readLastKeys(
  { database, table, as }: SendTable,
  repeats: readonly NewSend[],
  connection: Reader,
): Promise<Map<string, string>> {
  const e = as('e')
  const profiles = repeats.map((send) => ({ profile: profileOf(send) }))
  const rows = await connection.rows(sql`select "r"."profile" as "profile",
      (select ${e.key} from ${table} as "e" where ${e.profile} = "r"."profile"
        and ${e.lane} in ('events', 'profiles') order by ${e.id} desc limit 1) as "key"
    from ${jsonRows(database, { profile: 'text' }, profiles)} as "r"`)
  return new Map(rows.map(({ profile, key }) => [String(profile), String(key)]))
}

const profileOf = ({ message }: NewSend) => profileKey(message.profile)

/** Whether the profile was told this very thing last: then it is a repeat. */
const isToldLast = ({ key, previousKey }: NewSend, lastKey: string | undefined): boolean =>
  lastKey !== undefined &&
  [key, previousKey].some((own) => own !== undefined && isKeyOf(own, lastKey))

function asOther({ otherwise, acceptedAt, message, key }: NewSend): NewSend {
  return { message, key, ...otherwise, acceptedAt }
}

/** Resolves to the keys that were stored. */
async function insertSends(
  sends: SendTable,
  posted: readonly NewSend[],
  connection: Reader,
): Promise<ReadonlySet<string>> {
  if (posted.length === 0) return new Set()
  const stored = await connection.rows(insertQuery(sends, posted))
  return new Set(stored.map(({ key }) => String(key)))
}

/**
 * One statement that stores sends; what is a repeat is left out. Each profile's are stored in their
 * order, and the profiles in the order of their names: two processes that store the same posts at
 * once then wait for each other in one direction. A send that has to wait for another
 * one is stored without a next attempt, so that nobody walks over it while it waits. Returns the
 * keys that were stored.
 */
export function insertQuery(sends: SendTable, posted: readonly NewSend[]): SQL {
  const { database, table, bare, as, checked, choice } = sends
  const [e, last] = [as('e'), as('last')]
  const ofProfile = sql`${e.profile} = "fresh"."profile"`
  // Two looks, as no index has both states in one order.
  const lastId = (['queued', 'sending'] as const).map(
    (state) => sql`coalesce((select ${e.id} from ${table} as "e"
      where ${ofProfile} and ${e.state} = ${sql.raw(`'${state}'`)} order by ${e.id} desc limit 1), 0)`,
  )
  const larger = database.isSqlite ? sql`max` : sql`greatest`
  const isSameGroup = sql`(${last.lane} = "fresh"."lane"
    and coalesce(${last.list}, '') = coalesce("fresh"."list", ''))`

  return sql`with
    "posted" as materialized (select * from ${jsonRows(database, shape, rowsOf(posted))} as "rows"),
    "fresh" as materialized (select * from "posted"
      where (select ${e.id} from ${table} as "e" where ${e.key} = "posted"."key") is null
        and ("previousKey" is null or (select ${e.id} from ${table} as "e"
          where ${e.key} = "posted"."previousKey" and ${checked(sql`${e.acceptedAt} >= "posted"."foldSince"`)}) is null)),
    "placed" as materialized (
      select "fresh".*, ${last.state} as "lastState", ${last.nextAttemptAt} as "lastAttemptAt",
        case
          when "fresh"."after" in (select "key" from "fresh") then "fresh"."after"
          when (select ${e.id} from ${table} as "e"
            where ${e.key} = "fresh"."after" and ${isUnfinished(e, sends)}) is not null then "fresh"."after"
          when ${isSameGroup} then ${last.after}
          when ${last.lane} = 'profiles' and "fresh"."lane" = 'events' then null
          else ${last.key}
        end as "waitsFor"
      from "fresh" left join ${table} as "last" on ${last.id} = ${larger}(${sql.join(lastId, sql`, `)}))
    insert into ${table} (${sql.join(
      target.map((field) => bare[field]),
      sql`, `,
    )})
    select ${choice('state', sql`'queued'`)}, 0, 0, false, 0,
      ${choice('kind', sql`"kind"`)}, "lane", "profile", "list", "metric", "uniqueId", "key", "message",
      "bytes", "acceptedAt", "waitsFor",
      case when "waitsFor" is not null then null
        when "lastState" = 'queued' and "lastAttemptAt" > "acceptedAt" then "lastAttemptAt"
        else "acceptedAt" end,
      case when "waitsFor" is not null then "lookAgainAt" end
    from "placed" where true order by "profile", "place" on conflict do nothing
    returning ${bare.key} as "key"`
}

const target: readonly SendField[] = [
  'state',
  'attempts',
  'isolation',
  'alone',
  'crashes',
  'kind',
  'lane',
  'profile',
  'list',
  'metric',
  'uniqueId',
  'key',
  'message',
  'bytes',
  'acceptedAt',
  'after',
  'nextAttemptAt',
  'leaseUntil',
]

type PostedRow = Partial<Record<keyof typeof shape, unknown>> & { key: string; after?: string }

/** The rows to store, of repeats among them the first. */
function rowsOf(posted: readonly NewSend[]): PostedRow[] {
  const acceptedAt = new Map<string, Date>()
  const lastOf = new Map<string, PlacedSend>()
  const toldLast = new Map<string, string>()
  const rows: PostedRow[] = []
  for (const given of posted) {
    const profile = profileKey(given.message.profile)
    const isRepeat = acceptedAt.has(given.key)
    const isOther = isRepeat && given.otherwise && !isToldLast(given, toldLast.get(profile))
    const send = isOther ? asOther(given) : given
    const previous = send.previousKey === undefined ? undefined : acceptedAt.get(send.previousKey)
    const isFolded = previous && send.foldSince && previous >= send.foldSince
    if (acceptedAt.has(send.key) || isFolded) continue
    acceptedAt.set(send.key, send.acceptedAt)
    if (!('list' in send.message)) toldLast.set(profile, send.key)

    const placed = placeBehind(lastOf.get(profile), send)
    lastOf.set(profile, placed)
    rows.push(rowOf(send, { profile, after: placed.after, place: rows.length }))
  }
  return rows
}

/** A send in its place behind the one before it of the same profile. */
interface PlacedSend {
  key: string
  lane: Lane
  list: string | undefined
  after: string | undefined
}

function placeBehind(last: PlacedSend | undefined, { key, message, after }: NewSend): PlacedSend {
  const lane = laneOf[message.kind]
  const list = 'list' in message ? message.list : undefined
  return { key, lane, list, after: after ?? inTheWay(last, { lane, list }) }
}

function inTheWay(
  last: PlacedSend | undefined,
  { lane, list }: Pick<PlacedSend, 'lane' | 'list'>,
): string | undefined {
  if (last === undefined) return undefined
  if (last.lane === lane && last.list === list) return last.after
  return last.lane === 'profiles' && lane === 'events' ? undefined : last.key
}

function rowOf(
  { key, previousKey, foldSince, message, acceptedAt }: NewSend,
  { profile, after, place }: { profile: string; after: string | undefined; place: number },
): PostedRow {
  return {
    place,
    key,
    kind: message.kind,
    lane: laneOf[message.kind],
    profile,
    message,
    bytes: bytesOf(message),
    acceptedAt: acceptedAt.toISOString(),
    lookAgainAt: new Date(acceptedAt.getTime() + firstLookMs).toISOString(),
    ...(after !== undefined && { after }),
    ...(previousKey !== undefined && { previousKey }),
    ...(foldSince !== undefined && { foldSince: foldSince.toISOString() }),
    ...('list' in message && { list: message.list }),
    ...(message.kind === 'event' && {
      metric: message.event.name,
      uniqueId: message.event.uniqueId,
    }),
  }
}

export const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))
