import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { Log } from '../store/log.js'
import type { Database } from '../store/payload/database.js'
import { groupWrites } from './grouped-writes.js'
import { createWakeUp } from './wake-up.js'

const channel = 'storeconnect_delivery'

/** The wait before the next try of a connection that was lost. */
const reconnectMs = 2_000

/** What a connection of node-postgres is used for here. */
interface Client {
  connect(): Promise<void>
  query(text: string): Promise<unknown>
  on(event: 'notification' | 'error' | 'end', listener: () => void): void
  end(): Promise<void>
}

interface Pool {
  Client: new (options: unknown) => Client
  options: unknown
}

/**
 * Wakes the deliverer in another process, on PostgreSQL. Elsewhere it looks by itself, within a second.
 */
export function createNotifications(payload: BasePayload, database: Database, log: Log) {
  const pool = database.isSqlite ? undefined : (payload.db as unknown as { pool?: Pool }).pool
  const notify = groupWrites<never>({
    itemsAtMost: Number.POSITIVE_INFINITY,
    async write() {
      await database.rows(sql`select pg_notify(${channel}, '')`).catch((error: unknown) => {
        log.warn({ err: error }, 'The delivery was not woken: it looks by itself within a second')
      })
    },
  })

  return {
    /** Has the others look at once. Those within a moment are one. */
    send(): void {
      if (pool !== undefined) void notify([])
    },

    /** Calls back when another process has stored something, until it is ended. */
    listen(onWake: () => void): Listening {
      return pool === undefined ? { end: () => Promise.resolve() } : listenOn(pool, onWake, log)
    },
  }
}

export type Notifications = ReturnType<typeof createNotifications>

export interface Listening {
  end(): Promise<void>
}

/** Listens on a connection of its own, which is made again when it is lost. */
function listenOn(pool: Pool, onWake: () => void, log: Log): Listening {
  const pause = createWakeUp({ isBackground: true })
  let client: Client | undefined
  let isEnded = false
  let isTold = false

  const stayConnected = async (): Promise<void> => {
    while (!isEnded) {
      const own = new pool.Client(pool.options)
      client = own
      own.on('notification', onWake)
      const lost = new Promise<void>((resolve) => {
        own.on('error', resolve)
        own.on('end', resolve)
      })
      try {
        await own.connect()
        await own.query(`listen ${channel}`)
        isTold = false
        // What was stored while nobody listened.
        onWake()
        if (!isEnded) await lost
      } catch (error) {
        const message = 'The delivery hears of nothing: it looks by itself within a second'
        if (!isEnded && !isTold) log.warn({ err: error }, message)
        isTold = true
      }
      // A connection that is lost already cannot be ended.
      own.end().catch(() => undefined)
      await pause.wait(reconnectMs)
    }
  }
  void stayConnected()
  return {
    async end() {
      isEnded = true
      pause.wake()
      await client?.end().catch(() => undefined)
    },
  }
}
