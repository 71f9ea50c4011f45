import { sql } from 'drizzle-orm'
import type { Shop } from '../shop.js'
import { groupWrites } from './group-writes.js'
import { createWakeUp } from '../effects.js'

const channel = 'storeconnect_delivery'

/** How long to wait before a lost connection is made again. */
const reconnectMs = 2_000

/** How long to wait for a notification of our own, which a pooler may keep from us. */
const heardWithinMs = 15_000

/** The part of a node-postgres connection that is used here. */
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

/** Wakes the deliverer in another process, on PostgreSQL. On SQLite it polls every second. */
export function createNotifications(shop: Shop) {
  const { payload, database, log } = shop
  const pool = database.isSqlite ? undefined : (payload.db as unknown as { pool?: Pool }).pool
  const notify = (): Promise<boolean> =>
    database.rows(sql`select pg_notify(${channel}, '')`).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'The delivery could not be woken; it polls within a second')
        return false
      },
    )
  const notifyOnce = groupWrites<never>(Infinity, async () => void (await notify()))

  return {
    /** Wakes the other processes. Calls in the same moment share one notification. */
    send(): void {
      if (pool !== undefined) void notifyOnce([])
    },

    /** Calls `onWake` when another process has stored something, until it is ended. */
    listen(onWake: () => void): Listening {
      if (pool === undefined) return { end: () => Promise.resolve() }
      return listenOn(pool, { onWake, notify, shop })
    },
  }
}

export type Notifications = ReturnType<typeof createNotifications>

export interface Listening {
  end(): Promise<void>
}

interface Listener {
  onWake: () => void
  /** Sends a notification that this process should hear too. False when it could not be sent. */
  notify: () => Promise<boolean>
  shop: Shop
}

/**
 * Reconnects when the connection is lost, and gives up behind a pooler of transactions, which passes no
 * notification on.
 */
function listenOn(pool: Pool, { onWake, notify, shop: { effects, log } }: Listener): Listening {
  const pause = createWakeUp(effects, { isBackground: true })
  let client: Client | undefined
  let isEnded = false
  let isReported = false

  const tooLong = () =>
    new Promise<'too long'>((resolve) => {
      effects.after(heardWithinMs, () => resolve('too long'), { isBackground: true })
    })
  /** What comes first; too long only when a notification was surely sent. */
  const firstOf = async (events: Promise<'lost' | 'heard'>) => {
    for (;;) {
      const isSent = await notify()
      const first = await Promise.race([events, tooLong()])
      if (first !== 'too long' || isSent) return first
    }
  }
  const stayConnected = async (): Promise<void> => {
    while (!isEnded) {
      const own = new pool.Client(pool.options)
      client = own
      const lost = new Promise<'lost'>((resolve) => {
        own.on('error', () => resolve('lost'))
        own.on('end', () => resolve('lost'))
      })
      const heard = new Promise<'heard'>((resolve) => {
        own.on('notification', () => {
          resolve('heard')
          onWake()
        })
      })
      try {
        await own.connect()
        await own.query(`listen ${channel}`)
        isReported = false
        // Finds what was stored while nobody listened, too.
        const first = await firstOf(Promise.race([lost, heard]))
        if (!isEnded && first === 'too long') {
          log.info(
            { channel },
            'No notification comes through to the delivery; it polls every second',
          )
          isEnded = true
        }
        if (!isEnded) await lost
      } catch (error) {
        const message = 'The delivery cannot be woken by other processes; it polls every second'
        if (!isEnded && !isReported) log.warn({ err: error }, message)
        isReported = true
      }
      // Ending a connection that is already lost fails.
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
