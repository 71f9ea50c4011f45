import { sql } from 'drizzle-orm'
import type { PersonKeys } from '../marketing/person-keys.js'
import type { Connection, Database } from '../store/payload/database.js'
import { groupWrites } from './grouped-writes.js'
import type { NewSend } from './send.js'
import { checked, sendTable, type SendTable } from './send-table.js'
import { storeSends } from './store-sends.js'

/** Sends in one statement: beyond, a statement costs as much as its rows. */
const storedAtOnce = 500

/**
 * Where sends are stored until they are delivered: the collection `marketing-sends`.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not a sequence.
 */
export function createOutbox(database: Database) {
  const sends = sendTable(database)
  const { table, bare } = sends
  return {
    /** Resolves when the sends are stored for good. Several calls may share one write. */
    store: groupWrites<NewSend>({
      itemsAtMost: storedAtOnce,
      write: (posted) => storeInTurn(() => storeSends(sends, posted)).catch(rethrowWithoutPosts),
    }),

    /** A failed send back to the queue, its attempts forgotten. False when it is not failed. */
    resend: async (id: number, now: Date): Promise<boolean> =>
      (await resendSends(sends, [id], now)) > 0,

    /** Deletes a failed send. False when it is not failed. */
    async dismiss(id: number): Promise<boolean> {
      const dismissed = await database.rows(sql`delete from ${table}
        where ${bare.id} = ${id} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id}`)
      return dismissed.length > 0
    },

    /**
     * Deletes all sends about a person, in whatever state: with a request's transaction, or not at all.
     * A call that is on its way is not taken back; what becomes of it is written nowhere, and it is not
     * tried again.
     */
    async forget(connection: Connection, person: PersonKeys): Promise<void> {
      const s = sends.as('s')
      const said = (name: 'externalId' | 'phoneNumber') =>
        database.isSqlite
          ? sql`${s.message} ->> ${sql.raw(`'$.profile.${name}'`)}`
          : sql`${s.message} #>> ${sql.raw(`'{profile,${name}}'`)}`
      const isAbout = sql`(${database.isOneOf(s.profile, person.profiles)}
        or ${database.isOneOf(said('externalId'), person.externalIds)}
        or ${database.isOneOf(said('phoneNumber'), person.phoneNumbers)})`
      // In the order of their ids: two that delete the same ones wait for each other in one direction.
      const found = database.isSqlite ? sql`` : sql`order by ${s.id} for update`
      await connection.run(sql`delete from ${table}
        where ${bare.id} in (select ${s.id} from ${table} as "s" where ${isAbout} ${found})`)
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>

/** Puts those of the sends that failed back into the queue. Resolves to how many. */
export async function resendSends(
  { database, table, bare }: SendTable,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const resent = await database.rows(sql`update ${table} set
      ${bare.state} = 'queued', ${bare.nextAttemptAt} = ${now.toISOString()}, ${bare.attempts} = 0,
      ${bare.crashes} = 0, ${bare.batchSize} = null, ${bare.errorCode} = null,
      ${bare.errorDetail} = null, ${bare.errorStatus} = null, ${bare.errorPointer} = null
    where ${database.isOneOf(bare.id, ids)} and ${checked(sql`${bare.state} = 'failed'`)}
    returning ${bare.id}`)
  return resent.length
}

/** Of two writes that wait for each other PostgreSQL ends one, which can then be made again. */
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

/** What the driver said, below Drizzle's own error. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error

/** Drizzle's own error quotes the statement's parameters: what people posted has no place in a log. */
function rethrowWithoutPosts(error: unknown): never {
  throw new Error('The sends could not be stored.', { cause: causeOf(error) })
}
