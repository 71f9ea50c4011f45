import { sql, type SQL } from 'drizzle-orm'
import type { PersonKeys } from '../../core/people/person-keys.js'
import {
  momentOf,
  type Connection,
  type Database,
  type Row,
  type Statement,
} from '../../core/database/database.js'
import { groupWrites } from '../../core/workers/group-writes.js'
import { bytesOf, kindOf, type NewSend, type SendState } from './send.js'
import {
  checked,
  overKey,
  profileValue,
  sendTable,
  type SendColumns,
  type SendTable,
} from './send-table.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Message } from '../klaviyo/message.js'
import { isKeyOf } from '../klaviyo/send-key.js'
import { jsonRows } from '../../core/database/json-rows.js'
import { sendFieldNames } from './send-fields.js'

/** Sends in one statement. More save nothing, because its cost grows with its rows. */
const storedAtOnce = 500

/**
 * Stores sends until they are delivered, in the collection `marketing-sends`. After each write it calls
 * `wake`, so that they are delivered at once.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not ascending numbers.
 */
export function createOutbox(database: Database, wake?: () => void) {
  const sends = sendTable(database)
  const { table, bare } = sends
  const store = groupWrites<NewSend>(storedAtOnce, (posted) =>
    storeInTurn(() => storeSends(sends, posted)).catch((error: unknown) => {
      throw new Error('The sends could not be stored.', { cause: causeOf(error) })
    }),
  )
  return {
    /** Resolves when the sends are committed. Several calls may share one write. */
    async store(posted: readonly NewSend[]): Promise<void> {
      await store(posted)
      wake?.()
    },

    /** Queues a failed send again, as if it had never been tried. False when it is not failed. */
    resend: async (id: number, now: Date): Promise<boolean> =>
      (await resendSends(sends, [id], now)) > 0,

    /** Deletes a failed send. False when it is not failed. */
    async dismiss(id: number): Promise<boolean> {
      const dismissed = await database.rows(sql`delete from ${table}
        where ${bare.id} = ${id} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id}`)
      return dismissed.length > 0
    },

    /** The statement that stores sends as part of a transaction. Call `wake` when it is committed. */
    storing: (connection: Connection, posted: readonly NewSend[], dueAt: Date): Statement =>
      connection.insertIgnoring(
        table,
        posted.map((send) => ({
          ...columnsOf(send),
          acceptedAt: send.acceptedAt.toISOString(),
          nextAttemptAt: dueAt.toISOString(),
        })),
      ),

    /**
     * The statement that deletes all sends about a person, in every state, as part of a request's
     * transaction; with `until` those that were accepted up to that moment. A call that is under way is
     * not cancelled, but its result is not stored and it is not tried again. A deletion of the profile
     * at Klaviyo stays, unless it has failed. An objection stays until it has reached Klaviyo.
     */
    forget(connection: Connection, person: PersonKeys, until?: Date): Statement {
      const s = sends.as('s')
      const isRecent = until && sql`and ${s.acceptedAt} <= ${until.toISOString()}`
      // PostgreSQL locks the rows in the order of their ids, so that two such deletions cannot
      // deadlock.
      const found = database.isSqlite ? sql`` : sql`order by ${s.id} for update`
      return connection.run(sql`delete from ${table}
        where ${bare.id} in (select ${s.id} from ${table} as "s" where ${isAbout(s, person)}
          and (${s.kind} <> 'erase' or ${s.state} = 'failed') and not ${isOpenObjection(s)}
          ${isRecent} ${found})`)
    },

    /** How many sends about a person are stored, whether Klaviyo is about to get one, and when it last got one. */
    async traces(connection: Connection, person: PersonKeys) {
      const s = sends.as('s')
      const [row] =
        await connection.rows(sql`select count(*) as "count", max(${s.sentAt}) as "sentAt",
          max(case when ${s.state} = 'sending' or ${isOpenObjection(s)} then 1 else 0 end) as "isSending"
        from ${table} as "s" where ${isAbout(s, person)} and ${s.kind} <> 'erase'`)
      return {
        count: Number(row?.count),
        isSending: Boolean(Number(row?.isSending)),
        lastSentAt: momentOf(row?.sentAt),
      }
    },

    /** Who asks for these variants from now on is no repeat: they are in stock again. */
    endWaiting: (variants: readonly string[]): PromiseLike<unknown> =>
      database.run(sql`update ${table} set ${bare.key} = ${overKey(bare)}
        where ${bare.kind} = 'back-in-stock' and ${database.isOneOf(bare.list, variants)}`),

    /** Deletes those of these sends that have reached Klaviyo. Resolves to how many, and the others' states. */
    async endDelivered(keys: readonly string[]): Promise<{ delivered: number; left: SendState[] }> {
      const isOne = database.isOneOf(bare.key, keys)
      const ended = await database.rows(sql`delete from ${table}
        where ${isOne} and ${checked(sql`${bare.state} in ('sent', 'skipped')`)}
        returning ${bare.id}`)
      const left = await database.rows(
        sql`select ${bare.state} as "state" from ${table} where ${isOne}`,
      )
      return { delivered: ended.length, left: left.map(({ state }) => state as SendState) }
    },

    /**
     * Deletes a person's objections up to that moment that Klaviyo knows. Resolves to whether others are left. One from after
     * the erasure stays while a later subscription waits: Klaviyo's moment of it is understood by our own.
     */
    async endObjections(person: PersonKeys, until: Date): Promise<boolean> {
      const [s, later] = [sends.as('s'), sends.as('later')]
      const isOne = sql`${s.kind} = 'unsubscribe' and ${isAbout(s, person)}
        and ${s.acceptedAt} <= ${until.toISOString()}`
      const isNeeded = sql`exists (select 1 from ${table} as "later" where ${later.profile} = ${s.profile}
        and ${later.id} > ${s.id} and ${later.kind} in ('subscribe', 'consent')
        and ${later.state} in ('queued', 'sending'))`
      await database.run(sql`delete from ${table} where ${bare.id} in (select ${s.id} from ${table} as "s"
        where ${isOne} and not ${isOpenObjection(s)} and not ${isNeeded})`)
      const left = await database.rows(
        sql`select ${s.id} as "id" from ${table} as "s" where ${isOne} limit 1`,
      )
      return left.length > 0
    },
  }

  /** A phone number finds only sends that name nobody else, because several people may share it. */
  function isAbout(s: SendColumns, person: PersonKeys): SQL {
    const { profiles, externalIds, phoneNumbers, customerId } = person
    const phones = phoneNumbers.map((phoneNumber) => profileKey({ phoneNumber }))
    const externalId = profileValue(database, s, 'externalId')
    const isOfAccount =
      customerId === undefined ? sql`false` : sql`${s.account} = ${String(customerId)}`
    return sql`(${database.isOneOf(s.profile, profiles)} or ${database.isOneOf(externalId, externalIds)}
      or ${isOfAccount}
      or (${database.isOneOf(s.profile, phones)} and ${externalId} is null))`
  }
}

/** Whether somebody objects, and Klaviyo does not know it yet. */
const isOpenObjection = ({ kind, state }: SendColumns): SQL =>
  sql`(${kind} = 'unsubscribe' and ${state} not in ('sent', 'skipped'))`

export type Outbox = ReturnType<typeof createOutbox>

/** The call of a send that was resent: a repeat, as later sends of its profile may have been sent meanwhile. */
const resentCall = 'resent'

/** Puts the failed ones among these sends back into the queue. Resolves to how many there were. */
export async function resendSends(
  { database, table, bare }: SendTable,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  // The clock here may be ahead of the deliverer's, for which the sends would then be due later.
  const [at, clock] = database.isSqlite
    ? [sql`${now.toISOString()}`, sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`]
    : [sql`${now.toISOString()}::timestamptz`, sql`clock_timestamp()`]
  const resent = await database.rows(sql`update ${table} set
      ${bare.state} = 'queued', ${bare.attempts} = 0, ${bare.call} = ${resentCall},
      ${bare.nextAttemptAt} = case when ${at} > ${clock} then ${clock} else ${at} end,
      ${bare.crashes} = 0, ${bare.batchSize} = null, ${bare.reason} = null, ${bare.errorCode} = null,
      ${bare.errorDetail} = null, ${bare.errorStatus} = null, ${bare.errorPointer} = null
    where ${database.isOneOf(bare.id, ids)} and ${checked(sql`${bare.state} = 'failed'`)}
    returning ${bare.id}`)
  return resent.length
}

/** PostgreSQL ends one of two writes that wait for each other. That write can be made again. */
const deadlock = '40P01'
const deadlockTries = 5

async function storeInTurn(write: () => Promise<void>, tries = 1): Promise<void> {
  try {
    await write()
  } catch (error) {
    const { code } = Object(causeOf(error)) as { code?: unknown }
    if (tries === deadlockTries || code !== deadlock) throw error
    await storeInTurn(write, tries + 1)
  }
}

/** The driver's error, which Drizzle wraps in its own. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error

/** Stores sends. One whose key is a repeat is stored as `afterOthers`, where others of its profile came since. */
async function storeSends(sends: SendTable, posted: readonly NewSend[]): Promise<void> {
  const stored = await insertSends(sends, posted)
  const unstored = posted.filter(
    ({ key, afterOthers }) => afterOthers && !stored.has(key) && !stored.has(afterOthers.key),
  )
  const repeats = unstored.filter(
    (send, index) => unstored.findIndex(({ key }) => key === send.key) === index,
  )
  if (repeats.length === 0) return
  const lastKeys = await readLastKeys(sends, repeats.map(profileKeyOf))
  const others = repeats.filter((send) => !isLastOfProfile(send, lastKeys.get(profileKeyOf(send))))
  await insertSends(sends, others.map(asNewOccurrence))
}

/** The key of the last stored event or identify of each profile. */
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

const profileKeyOf = ({ message }: NewSend) => profileKey(message.profile)

/** Whether the last stored send of the profile is the same. Only then is the send a repeat. */
const isLastOfProfile = ({ key, previousKey }: NewSend, lastKey: string | undefined): boolean =>
  lastKey !== undefined &&
  [key, previousKey].some((own) => own !== undefined && isKeyOf(own, lastKey))

const asNewOccurrence = ({ afterOthers, acceptedAt, message, key, account }: NewSend): NewSend => ({
  account,
  message,
  key,
  ...afterOthers,
  acceptedAt,
})

/** Resolves to the stored keys. Rows are in the order of their profiles, so that two writes cannot deadlock. */
async function insertSends(
  { database, table, bare, as, shape }: SendTable,
  posted: readonly NewSend[],
): Promise<ReadonlySet<string>> {
  const rows = withoutRepeats(posted).map(rowOf)
  if (rows.length === 0) return new Set()
  const e = as('e')
  const isRepeat = sql`"previousKey" is not null and exists (select 1 from ${table} as "e"
    where ${e.key} = "posted"."previousKey" and ${checked(sql`${e.acceptedAt} >= "posted"."dedupeSince"`)})`
  const { key: previousKey, acceptedAt: dedupeSince, id: place } = shape
  // The deliverer fills in the others. SQLite would read each of them from the JSON of each row.
  const fields = sendFieldNames.filter((field) => rows.some((row) => row[field] !== undefined))
  const columns = fields.map((field) => bare[field])
  const values = fields.map((field) => sql.identifier(field))
  const stored = await database.rows(sql`insert into ${table} (${sql.join(columns, sql`, `)})
      select ${sql.join(values, sql`, `)}
      from ${jsonRows(database, { ...shape, previousKey, dedupeSince, place }, rows)} as "posted"
      where not (${isRepeat}) order by "profile", "place"
      on conflict do nothing returning ${bare.key} as "key"`)
  return new Set(stored.map(({ key }) => String(key)))
}

/** Keeps the first of repeats among the posted sends. */
function withoutRepeats(posted: readonly NewSend[]): NewSend[] {
  const kept = new Map<string, NewSend>()
  const lastStored = new Map<string, string>()
  for (const given of posted) {
    const profile = profileKeyOf(given)
    const isNotRepeat = kept.has(given.key) && !isLastOfProfile(given, lastStored.get(profile))
    const send = isNotRepeat ? asNewOccurrence(given) : given
    const { key, previousKey = '', dedupeSince } = send
    const previous = kept.get(previousKey)
    const isWithinWindow = previous && dedupeSince && previous.acceptedAt >= dedupeSince
    if (kept.has(key) || isWithinWindow) continue
    kept.set(key, send)
    if (listOf(send.message) === undefined) lastStored.set(profile, key)
  }
  return [...kept.values()]
}

const listOf = (message: Message): string | undefined => {
  if ('variant' in message) return message.variant
  return 'list' in message ? message.list : undefined
}

const rowOf = (send: NewSend, place: number): Row => ({
  ...columnsOf(send),
  place,
  previousKey: send.previousKey,
  dedupeSince: send.dedupeSince,
})

function columnsOf({ key, message, acceptedAt, account }: NewSend): Row {
  const event = message.kind === 'event' ? message.event : undefined
  return {
    state: 'queued',
    kind: kindOf(message),
    account: account === undefined ? undefined : String(account),
    profile: profileKey(message.profile),
    list: listOf(message),
    metric: 'product' in message ? message.product : event?.name,
    uniqueId: event?.uniqueId,
    key,
    message,
    bytes: bytesOf(message),
    acceptedAt,
    nextAttemptAt: acceptedAt,
    attempts: 0,
    crashes: 0,
  }
}
