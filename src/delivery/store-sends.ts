import { sql } from 'drizzle-orm'
import type { Message } from '../marketing/message.js'
import { profileKey } from '../marketing/profile.js'
import { isKeyOf } from '../marketing/send-key.js'
import type { Row } from '../store/payload/database.js'
import { jsonRows } from '../store/payload/json-rows.js'
import { kindOf, type NewSend } from './send.js'
import { checked, sendFields, type SendTable } from './send-table.js'

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
  const lastKeys = await readLastKeys(sends, repeats.map(profileOf))
  const others = repeats.filter((send) => !isToldLast(send, lastKeys.get(profileOf(send))))
  await insertSends(sends, others.map(asOther))
}

/** Keys of what each profile was told last. */
async function readLastKeys(
  { database, table, bare }: SendTable,
  profiles: readonly string[],
): Promise<Map<string, string>> {
  const rows =
    await database.rows(sql`select ${bare.profile} as "profile", ${bare.key} as "key" from ${table}
      where ${bare.id} in (select max(${bare.id}) from ${table}
        where ${database.isOneOf(bare.profile, profiles)} and ${bare.kind} in ('event', 'identify')
        group by ${bare.profile})`)
  return new Map(rows.map(({ profile, key }) => [String(profile), String(key)]))
}

const profileOf = ({ message }: NewSend) => profileKey(message.profile)

/** Whether the profile was told this very thing last: then it is a repeat. */
const isToldLast = ({ key, previousKey }: NewSend, lastKey: string | undefined): boolean =>
  lastKey !== undefined &&
  [key, previousKey].some((own) => own !== undefined && isKeyOf(own, lastKey))

const asOther = ({ otherwise, acceptedAt, message, key }: NewSend): NewSend => ({
  message,
  key,
  ...otherwise,
  acceptedAt,
})

/**
 * One plain insert that leaves repeats out. Each profile's are stored in their order, and the profiles
 * in the order of their names: two processes that store the same posts at once then wait for each other
 * in one direction. Resolves to the keys that were stored.
 */
async function insertSends(
  { database, table, bare, as, shape }: SendTable,
  posted: readonly NewSend[],
): Promise<ReadonlySet<string>> {
  const rows = withoutRepeats(posted).map(rowOf)
  if (rows.length === 0) return new Set()
  const e = as('e')
  const isRepeat = sql`"previousKey" is not null and exists (select 1 from ${table} as "e"
    where ${e.key} = "posted"."previousKey" and ${checked(sql`${e.acceptedAt} >= "posted"."foldSince"`)})`
  const { key: previousKey, acceptedAt: foldSince, id: place } = shape
  const fields = sendFields.filter((field) => field !== 'id')
  const columns = fields.map((field) => bare[field])
  const values = fields.map((field) => sql.identifier(field))
  const stored = await database.rows(sql`insert into ${table} (${sql.join(columns, sql`, `)})
      select ${sql.join(values, sql`, `)}
      from ${jsonRows(database, { ...shape, previousKey, foldSince, place }, rows)} as "posted"
      where not (${isRepeat}) order by "profile", "place"
      on conflict do nothing returning ${bare.key} as "key"`)
  return new Set(stored.map(({ key }) => String(key)))
}

/** Of repeats among the posted sends the first. */
function withoutRepeats(posted: readonly NewSend[]): NewSend[] {
  const kept = new Map<string, NewSend>()
  const toldLast = new Map<string, string>()
  for (const given of posted) {
    const profile = profileOf(given)
    const isOther = kept.has(given.key) && !isToldLast(given, toldLast.get(profile))
    const send = isOther ? asOther(given) : given
    const { key, previousKey = '', foldSince } = send
    const previous = kept.get(previousKey)
    const isWithinWindow = previous && foldSince && previous.acceptedAt >= foldSince
    if (kept.has(key) || isWithinWindow) continue
    kept.set(key, send)
    if (!('list' in send.message)) toldLast.set(profile, key)
  }
  return [...kept.values()]
}

function rowOf({ key, previousKey, foldSince, message, acceptedAt }: NewSend, place: number): Row {
  const event = message.kind === 'event' ? message.event : undefined
  return {
    state: 'queued',
    kind: kindOf(message),
    profile: profileKey(message.profile),
    list: 'list' in message ? message.list : undefined,
    metric: event?.name,
    uniqueId: event?.uniqueId,
    key,
    message,
    bytes: bytesOf(message),
    acceptedAt,
    nextAttemptAt: acceptedAt,
    attempts: 0,
    crashes: 0,
    place,
    previousKey,
    foldSince,
  }
}

export const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))
