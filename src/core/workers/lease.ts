import { sql, type SQL } from 'drizzle-orm'
import { bareName, column, type Row } from '../database/database.js'
import { parsedJson } from '../database/json-rows.js'
import type { Effects } from '../effects.js'
import type { Shop } from '../shop.js'
import { internalCollection } from '../database/internal-collection.js'
import type { CollectionConfig } from 'payload'

export const leaseSlug = 'marketing-lease'

/** One document that says which process works. Its name is from when only the outbox needed it. */
export const leaseCollection = (): CollectionConfig => ({
  slug: leaseSlug,
  ...internalCollection,
  timestamps: false,
  fields: [
    { name: 'name', type: 'text', unique: true },
    // The epoch rises each time a process takes the lease. Writes of an earlier epoch change nothing.
    { name: 'epoch', type: 'number' },
    { name: 'until', type: 'date' },
    // What the process that has the lease notes for the next one.
    { name: 'calls', type: 'json' },
  ],
})

/** How often a process says that it is still there. */
export const renewEveryMs = 2_000

/** How long a process that died keeps the others from working. */
const leaseMs = 9_000

/** Not the present moment, which the column rounds, so that it may still be ahead. */
const longAgo = new Date(0).toISOString()

/** What the process that has the lease notes for the next one. */
export interface LeaseNotes {
  /** When they were written, by the clock of the process that wrote them. */
  at?: number | undefined
  readonly [name: string]: unknown
}

/** The right of one process to deliver, and to do all other work in the background. */
export interface Lease {
  readonly epoch: number
  /** What the process before has noted. */
  readonly notes: LeaseNotes
  /** Milliseconds until another process may take the lease; negative after that. */
  remainingMs(): number
  /** Extends the lease and stores the notes. False when another process has taken it. */
  renew(notes: LeaseNotes): Promise<boolean>
  /** Ends the lease, so that another process can take it at once. */
  giveBack(notes: LeaseNotes): Promise<void>
  /** True while this process holds the lease. On PostgreSQL it locks the lease for the statement. */
  isHeld: SQL
}

/** A process whose clock is further behind than this does not find by its clock what others have changed. */
const behindMs = 10_000

/**
 * A process may take the lease of another when it has read it unchanged for as long as a lease lasts, by its own
 * steady clock. No other clock counts, not even that of the database, as somebody may set it.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function createLeases({ database, effects }: Shop) {
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
  let lastLook: Look | undefined

  /** What the lease looks like now, and since when. */
  function look(row: Row | undefined, readAt: number): Look {
    const end = new Date(String(row?.until)).toISOString()
    const mark = `${Number(row?.epoch)} ${end}`
    if (lastLook?.mark === mark) return lastLook
    const { at } = notesIn(row)
    const isBehind = at !== undefined && at - effects.now().getTime() > behindMs
    lastLook = { mark, end, since: readAt, isBehind }
    return lastLook
  }

  async function readRow() {
    const [row] = await database.rows(sql`select ${epoch} as "epoch", ${calls} as "calls",
      ${until} as "until" from ${leases} where ${isOurs}`)
    return row
  }

  async function makeRow() {
    const first = { name: 'delivery', epoch: 0, until: longAgo, calls: {} }
    await database.insertIgnoring(leases, first)
    return readRow()
  }

  function leaseOf(own: number, known: LeaseNotes, taken: ElapsedMs): Lease {
    let elapsedMs = taken
    const isOwn = sql`${isOurs} and ${epoch} = ${own}`
    const write = async (end: SQL, notes: LeaseNotes): Promise<boolean> => {
      const written = stopwatch(effects)
      const rows = await database.rows(sql`update ${leases} set ${until} = ${end},
        ${calls} = ${JSON.stringify(notes)} where ${isOwn} returning ${epoch}`)
      if (rows.length > 0) elapsedMs = written
      return rows.length > 0
    }
    return {
      epoch: own,
      notes: known,
      remainingMs: () => leaseMs - elapsedMs(),
      renew: (notes) => write(later(leaseMs), notes),
      giveBack: async (notes) => void (await write(sql`${longAgo}`, notes)),
      // On PostgreSQL this lock makes a process that takes over wait until the statement is written.
      isHeld: sql`exists (select 1 from ${leases} where ${isOwn} ${isSqlite ? sql`` : sql`for share`})`,
    }
  }

  return {
    /** Takes the lease if it is free. Undefined when another process has it. */
    async take(): Promise<Lease | undefined> {
      const taken = stopwatch(effects)
      const askedAt = effects.steadyMs()
      // A read comes first, because a write statement blocks every other writer in SQLite.
      const row = (await readRow()) ?? (await makeRow())
      const { end, since } = look(row, effects.steadyMs())
      if (end !== longAgo && askedAt - since < leaseMs) return undefined
      const next = Number(row?.epoch) + 1
      const [mine] = await database.rows(sql`update ${leases} set ${epoch} = ${next},
          ${until} = ${later(leaseMs)}
        where ${isOurs} and ${epoch} = ${next - 1} and ${until} = ${end} returning ${calls} as "calls"`)
      if (mine === undefined) return undefined
      lastLook = undefined
      return leaseOf(next, notesIn(mine), taken)
    },

    /** What the lease of another process looked like last. It differs after each renewal. */
    lastMark: (): string | undefined => lastLook?.mark,

    /** Whether the clock of the process that renewed the lease is ahead of this one's. */
    isBehind: (): boolean => lastLook?.isBehind === true,

    /** Whether a process has the lease, by the clock of the database. */
    async isTaken(): Promise<boolean> {
      const rows = await database.rows(
        sql`select 1 as "taken" from ${leases} where ${isOurs} and ${until} > ${later(0)}`,
      )
      return rows.length > 0
    },

    /** What the process that works now has noted. */
    notes: async (): Promise<LeaseNotes> => notesIn(await readRow()),
  }
}

const notesIn = (row: Row | undefined) => (parsedJson(row?.calls) ?? {}) as LeaseNotes

export type Leases = ReturnType<typeof createLeases>

interface Look {
  /** Differs after each renewal. */
  mark: string
  end: string
  /** Since when it looks so, in milliseconds of the steady clock. */
  since: number
  isBehind: boolean
}

/** Uses two clocks, because one stops while the machine sleeps and the other can be set back. */
function stopwatch({ now, steadyMs }: Effects) {
  const [wall, steady] = [now().getTime(), steadyMs()]
  return () => Math.max(now().getTime() - wall, steadyMs() - steady)
}

type ElapsedMs = ReturnType<typeof stopwatch>
