import { sql, type SQL } from 'drizzle-orm'
import type { Message } from '../marketing/message.js'
import { profileKey } from '../marketing/profile.js'
import { isKeyOf } from '../marketing/send-key.js'
import { jsonRows, type JsonShape } from '../store/payload/json-rows.js'
import type { NewSend } from './send.js'
import { kindOf } from './send.js'
import type { SendField, SendTable } from './send-table.js'

/** Stores sends with one statement, and repeats that are none with another. */
export async function storeSends(sends: SendTable, posted: readonly NewSend[]): Promise<void> {
  const stored = await insertSends(sends, posted)
  const left = posted.filter(
    ({ key, otherwise }) => otherwise && !stored.has(key) && !stored.has(otherwise.key),
  )
  const repeats = left.filter(
    (send, index) => left.findIndex(({ key }) => key === send.key) === index,
  )
  if (repeats.length === 0) return
  const lastKeys = await readLastKeys(sends, repeats)
  const others = repeats.filter((send) => !isToldLast(send, lastKeys.get(profileOf(send))))
  await insertSends(sends, others.map(asOther))
}

/** Keys of what each profile was told last. */
async function readLastKeys(
  { database, table, as }: SendTable,
  repeats: readonly NewSend[],
): Promise<Map<string, string>> {
  const e = as('e')
  const profiles = repeats.map((send) => ({ profile: profileOf(send) }))
  const rows = await database.rows(sql`select "r"."profile" as "profile",
      (select ${e.key} from ${table} as "e" where ${e.profile} = "r"."profile"
        and ${e.kind} in ('event', 'identify') order by ${e.id} desc limit 1) as "key"
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
): Promise<ReadonlySet<string>> {
  const rows = rowsOf(posted)
  if (rows.length === 0) return new Set()
  const stored = await sends.database.rows(insertStatement(sends, rows))
  return new Set(stored.map(({ key }) => String(key)))
}

/**
 * One plain insert that leaves repeats out. Each profile's are stored in their order, and the profiles
 * in the order of their names: two processes that store the same posts at once then wait for each other
 * in one direction.
 */
function insertStatement(
  { database, table, bare, as, checked, choice }: SendTable,
  rows: Row[],
): SQL {
  const e = as('e')
  const isRepeat = sql`"previousKey" is not null and exists (select 1 from ${table} as "e"
    where ${e.key} = "posted"."previousKey" and ${checked(sql`${e.acceptedAt} >= "posted"."foldSince"`)})`
  const columns = storedFields.map((field) => bare[field])
  return sql`insert into ${table} (${sql.join(columns, sql`, `)})
    select ${choice('state', sql`'queued'`)}, 0, 0, ${choice('kind', sql`"kind"`)}, "profile", "list",
      "metric", "uniqueId", "key", "message", "bytes", "acceptedAt", "acceptedAt"
    from ${jsonRows(database, shape, rows)} as "posted"
    where not (${isRepeat}) order by "profile", "place" on conflict do nothing returning ${bare.key} as "key"`
}

const storedFields: readonly SendField[] = [
  'state',
  'attempts',
  'crashes',
  'kind',
  'profile',
  'list',
  'metric',
  'uniqueId',
  'key',
  'message',
  'bytes',
  'acceptedAt',
  'nextAttemptAt',
]

const shape = {
  place: 'integer',
  key: 'text',
  previousKey: 'text',
  foldSince: 'time',
  kind: 'text',
  profile: 'text',
  list: 'text',
  metric: 'text',
  uniqueId: 'text',
  message: 'json',
  bytes: 'integer',
  acceptedAt: 'time',
} satisfies JsonShape

type Row = Partial<Record<keyof typeof shape, unknown>>

/** The rows to store, of repeats among them the first. */
function rowsOf(posted: readonly NewSend[]): Row[] {
  const acceptedAt = new Map<string, Date>()
  const toldLast = new Map<string, string>()
  const rows: Row[] = []
  for (const given of posted) {
    const profile = profileOf(given)
    const isRepeat = acceptedAt.has(given.key)
    const isOther = isRepeat && given.otherwise && !isToldLast(given, toldLast.get(profile))
    const send = isOther ? asOther(given) : given
    const previous = send.previousKey === undefined ? undefined : acceptedAt.get(send.previousKey)
    const isWithinWindow = previous && send.foldSince && previous >= send.foldSince
    if (acceptedAt.has(send.key) || isWithinWindow) continue
    acceptedAt.set(send.key, send.acceptedAt)
    if (!('list' in send.message)) toldLast.set(profile, send.key)
    rows.push(rowOf(send, { profile, place: rows.length }))
  }
  return rows
}

function rowOf(
  { key, previousKey, foldSince, message, acceptedAt }: NewSend,
  { profile, place }: { profile: string; place: number },
): Row {
  return {
    place,
    key,
    kind: kindOf(message),
    profile,
    message,
    bytes: bytesOf(message),
    acceptedAt: acceptedAt.toISOString(),
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
