import { randomUUID } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { bareName, column, type Database } from '../store/payload/database.js'
import { parsedJson } from '../store/payload/json-rows.js'
import type { CallLogs } from './call-log.js'
import { leaseSlug } from './lease-collection.js'

/** How long a process that is lost keeps the others from delivering. */
const leaseMs = 9_000

/** When a free lease ended. The column rounds to a millisecond, so that this moment can still be ahead. */
const longAgo = new Date(0).toISOString()

/** The right of one process to deliver. */
export interface Lease {
  readonly epoch: number
  /** What the process before knew of the calls. */
  readonly calls: CallLogs
  /** Milliseconds until another process may take it; negative when one may have. */
  remainingMs(): number
  /** Keeps it for some more seconds, with the calls. False when another process has it. */
  renew(calls: CallLogs): Promise<boolean>
  /** Lets another process have it at once. */
  giveBack(calls: CallLogs): Promise<void>
  /** True in a statement while the lease stands, which then lasts until that statement is over. */
  stands: SQL
}

/**
 * The lease in the collection `marketing-lease`. Its times are the database's own, as the clocks of two
 * machines differ.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function createLeases(database: Database) {
  const { isSqlite } = database
  const leases = database.table(leaseSlug)
  const [name, epoch, until, calls] = ['name', 'epoch', 'until', 'calls'].map((field) =>
    bareName(column(leases, field)),
  ) as [SQL, SQL, SQL, SQL]
  const isOurs = sql`${name} = 'delivery'`
  const later = (ms: number) =>
    isSqlite
      ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`+${ms / 1000} seconds`})`
      : sql`clock_timestamp() + ${`${ms} milliseconds`}::interval`
  const isOver = sql`${until} <= ${later(0)}`

  async function readRow() {
    const [row] = await database.rows(sql`select ${epoch} as "epoch", ${calls} as "calls",
      case when ${isOver} then 1 else 0 end as "over" from ${leases} where ${isOurs}`)
    return row
  }

  async function makeRow() {
    // Where ids are UUIDs, SQLite leaves it to who writes to make one.
    const id = column(leases, 'id').dataType === 'string' ? { id: randomUUID() } : {}
    const first = { name: 'delivery', epoch: 0, until: longAgo, calls: {} }
    await database.insertIgnoring(leases, { ...id, ...first })
    return readRow()
  }

  function leaseOf(own: number, known: CallLogs, taken: ElapsedMs): Lease {
    let elapsedMs = taken
    const isOwn = sql`${isOurs} and ${epoch} = ${own}`
    const write = async (end: SQL, logs: CallLogs): Promise<boolean> => {
      const written = stopwatch()
      const rows = await database.rows(sql`update ${leases} set ${until} = ${end},
        ${calls} = ${JSON.stringify(logs)} where ${isOwn} returning ${epoch}`)
      if (rows.length > 0) elapsedMs = written
      return rows.length > 0
    }
    return {
      epoch: own,
      calls: known,
      remainingMs: () => leaseMs - elapsedMs(),
      renew: (logs) => write(later(leaseMs), logs),
      giveBack: async (logs) => void (await write(sql`${longAgo}`, logs)),
      // PostgreSQL: whoever takes over waits until the statement is written.
      stands: sql`exists (select 1 from ${leases} where ${isOwn} ${isSqlite ? sql`` : sql`for share`})`,
    }
  }

  return {
    /** Undefined when another process has the lease. */
    async take(): Promise<Lease | undefined> {
      const taken = stopwatch()
      // Looked at first: a statement that writes takes SQLite from everybody else.
      const row = (await readRow()) ?? (await makeRow())
      if (Number(row?.over) !== 1) return undefined
      const next = Number(row?.epoch) + 1
      const [mine] = await database.rows(sql`update ${leases} set ${epoch} = ${next},
          ${until} = ${later(leaseMs)}
        where ${isOurs} and ${epoch} = ${next - 1} and ${isOver} returning ${calls} as "calls"`)
      return mine && leaseOf(next, parsedJson(mine.calls) as CallLogs, taken)
    },

    /** What whoever has the lease knows of the calls. */
    calls: async (): Promise<CallLogs> => parsedJson((await readRow())?.calls ?? {}) ?? {},
  }
}

/** By two clocks: one stands still while the machine sleeps, the other one can be set back. */
function stopwatch() {
  const [wall, steady] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - wall, performance.now() - steady)
}

type ElapsedMs = ReturnType<typeof stopwatch>
