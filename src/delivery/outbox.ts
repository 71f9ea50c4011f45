import type { PersonKeys } from '../marketing/person-keys.js'
import type { Connection, Database } from '../store/payload/database.js'
import { dismissSend, resendSends } from './failed-send.js'
import { forgetPerson } from './forget-person.js'
import { groupWrites } from './grouped-writes.js'
import type { NewSend } from './send.js'
import { sendTable } from './send-table.js'
import { storeSends } from './store-sends.js'

/** Where sends are stored until they are delivered. */
export interface Outbox {
  /** Resolves when the sends are stored for good. Several calls may share one write. */
  store(sends: readonly NewSend[]): Promise<void>
  /** A failed send back to the queue, its attempts forgotten. False when it is not failed. */
  resend(id: number, now: Date): Promise<boolean>
  /** Deletes a failed send. False when it is not failed. */
  dismiss(id: number): Promise<boolean>
  /** Deletes all sends about a person, in whatever state: with a request's transaction, or not at all. */
  forget(connection: Connection, person: PersonKeys): Promise<void>
}

/** Sends in one statement: beyond, a statement costs as much as its rows. */
const storedAtOnce = 500

/**
 * The outbox in the collection `marketing-sends`.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not a sequence.
 */
export function createOutbox(database: Database): Outbox {
  const sends = sendTable(database)
  return {
    store: groupWrites<NewSend>({
      itemsAtMost: storedAtOnce,
      write: (posted) => storeInTurn(() => storeSends(sends, posted)).catch(rethrowWithoutPosts),
    }),
    resend: async (id, now) => (await resendSends(sends, [id], now)) > 0,
    dismiss: (id) => dismissSend(sends, id),
    forget: (connection, person) => forgetPerson(sends, person, connection),
  }
}

/** Of two writes that wait for each other PostgreSQL ends one, which can then be made again. */
const deadlock = '40P01'
const deadlockTries = 5

async function storeInTurn(write: () => Promise<void>, tries = 1): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (tries === deadlockTries || codeOf(error) !== deadlock) throw error
    await storeInTurn(write, tries + 1)
  }
}

const codeOf = (error: unknown): unknown =>
  causeOf(error) instanceof Error ? (causeOf(error) as { code?: unknown }).code : undefined

/** What the driver said, below Drizzle's own error. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error

/** Drizzle's own error quotes the statement's parameters: what people posted has no place in a log. */
function rethrowWithoutPosts(error: unknown): never {
  throw new Error('The sends could not be stored.', { cause: causeOf(error) })
}
