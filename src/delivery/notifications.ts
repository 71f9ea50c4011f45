import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { Log } from '../store/log.js'
import type { Database } from '../store/payload/database.js'

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

/** Between the processes of a store. */
export interface Notifications {
  /** Has the others look at once. Those within a moment are one. */
  send(): void
  /** Calls back when another process has stored something, until it is ended. */
  listen(onWake: () => void): { end(): Promise<void> }
}

/**
 * Wakes the deliverer in another process, on PostgreSQL. Elsewhere it looks by itself, within a second.
 */
export function createNotifications(
  payload: BasePayload,
  database: Database,
  log: Log,
): Notifications {
  const pool = database.isSqlite ? undefined : (payload.db as unknown as { pool?: Pool }).pool

  let isSending = false
  let isWanted = false

  const send = async (): Promise<void> => {
    isSending = true
    while (isWanted) {
      isWanted = false
      await database.rows(sql`select pg_notify(${channel}, '')`).catch((error: unknown) => {
        log.warn({ err: error }, 'The delivery was not woken: it looks by itself within a second')
      })
    }
    isSending = false
  }

  return {
    send(): void {
      if (pool === undefined) return
      isWanted = true
      if (!isSending) void send()
    },

    /** Listens on a connection of its own, which is made again when it is lost. */
    listen(onWake: () => void): { end(): Promise<void> } {
      if (pool === undefined) return { end: () => Promise.resolve() }
      let client: Client | undefined
      let timer: NodeJS.Timeout | undefined
      let isEnded = false

      const lost = (own: Client): void => {
        if (client !== own) return
        client = undefined
        own.end().catch(() => undefined)
        if (isEnded) return
        timer = setTimeout(() => void connect(), reconnectMs)
        timer.unref()
      }
      const connect = async (): Promise<void> => {
        const own = new pool.Client(pool.options)
        client = own
        own.on('notification', onWake)
        own.on('error', () => lost(own))
        own.on('end', () => lost(own))
        try {
          await own.connect()
          await own.query(`listen ${channel}`)
          // What was stored while nobody listened.
          onWake()
        } catch {
          // The deliverer's own queries say what is wrong with the database.
          lost(own)
        }
      }
      void connect()
      return {
        async end() {
          isEnded = true
          clearTimeout(timer)
          const own = client
          client = undefined
          await own?.end().catch(() => undefined)
        },
      }
    },
  }
}
