import { groupWrites } from '../../../delivery/grouped-writes.js'
import type { NewSend, Outbox } from '../../../delivery/outbox.js'
import type { PersonKeys } from '../../../marketing/person-keys.js'
import type { Connection, Database, Statement } from '../database.js'
import { claimSends } from './claim-sends.js'
import { forgetPerson } from './forget-person.js'
import { dismissSend, pruneSends, resendSend } from './finished-sends.js'
import { closeImportJob, failImportJob, readOpenJobs } from './import-jobs.js'
import { recoverSends } from './recover-sends.js'
import { sendTable } from './send-table.js'
import { settleSends } from './settle-sends.js'
import { insertQuery, storeSends } from './store-sends.js'
import { readNextDueAt, readWaiting } from './waiting-sends.js'

/** Sends in one statement: beyond, a statement costs as much as its rows. */
const storedAtOnce = 500

/** The outbox, with what the shop's own writes store their sends by. */
export interface PayloadOutbox extends Outbox {
  /** Stores sends on a request's connection: with its transaction they are there, or are not. */
  storeWithin(connection: Pick<Connection, 'rows'>, sends: readonly NewSend[]): Promise<void>
  /** SQLite only: stores sends and runs other statements, all or nothing. */
  storeTogether(sends: readonly NewSend[], others: readonly Statement[]): Promise<void>
  /** Deletes all sends about a person, in whatever state: with a request's transaction, or not at all. */
  forget(connection: Connection, person: PersonKeys): Promise<void>
}

/**
 * The outbox in the collection `marketing-sends`.
 *
 * @throws {TypeError} when the database lacks the collection, or its ids are not a sequence.
 */
export function createOutbox(database: Database): PayloadOutbox {
  const sends = sendTable(database)
  return {
    store: groupWrites<NewSend>({
      itemsAtMost: storedAtOnce,
      write: (posted) => storeInTurn(() => storeSends(sends, posted)).catch(rethrowWithoutPosts),
    }),
    storeWithin: (connection, posted) =>
      storeSends(sends, posted, connection).catch(rethrowWithoutPosts),
    async storeTogether(posted, others) {
      const insert = posted.length === 0 ? [] : [database.run(insertQuery(sends, posted))]
      await database.batch([...others, ...insert]).catch(rethrowWithoutPosts)
    },
    waiting: (lane, options) => readWaiting(sends, lane, options),
    nextDueAt: (lane, now) => readNextDueAt(sends, lane, now),
    claim: (group, options) => claimSends(sends, group, options),
    settle: (claim, settlements, now) => settleSends(sends, claim, { settlements, now }),
    recover: (now) => recoverSends(sends, now),
    openJobs: (limit) => readOpenJobs(sends, limit),
    closeJob: (job, failures, now) => closeImportJob(sends, { job, failures, now }),
    failJob: (job, error, now) => failImportJob(sends, { job, error, now }),
    forget: (connection, person) => forgetPerson(sends, person, connection),
    prune: (before, failedBefore) => pruneSends(sends, before, failedBefore),
    resend: (id, now) => resendSend(sends, id, now),
    dismiss: (id) => dismissSend(sends, id),
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
