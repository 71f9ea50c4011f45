import type { BasePayload } from 'payload'

type Method = 'execute' | 'batch' | 'transaction'

type Client = { protocol: string } & Record<Method, (...args: never[]) => Promise<unknown>>

interface SqliteAdapter {
  client?: Client
  busyTimeout?: number
  wal?: false | { synchronous: string }
}

interface Transaction {
  close(): void
}

const renewed = new WeakSet<Client>()

/**
 * Gives SQLite a new connection after a failure by a lock: `@libsql/client` keeps the failed statement open, and SQLite
 * then reports success for later writes but rolls them back.
 */
export function renewBusyConnection({ db }: Pick<BasePayload, 'db'>): void {
  const adapter = db as unknown as SqliteAdapter
  const { client, wal = false } = adapter
  if (client?.protocol !== 'file' || renewed.has(client)) return
  renewed.add(client)
  const execute = client.execute.bind(client) as (statement: string) => Promise<unknown>
  const transaction = client.transaction.bind(client) as (mode: string) => Promise<Transaction>
  let turn: Promise<unknown> = Promise.resolve()

  const setUp = async (): Promise<void> => {
    await execute(`PRAGMA busy_timeout = ${adapter.busyTimeout ?? 0}`)
    if (wal) await execute(`PRAGMA synchronous = ${wal.synchronous}`)
  }

  /** A transaction takes the client's connection with it, so the client makes a new one. */
  const renew = async (): Promise<void> => {
    const discarded = await transaction('deferred')
    discarded.close()
    await setUp()
  }

  const takeTurns = (name: Method, after?: () => Promise<void>): void => {
    const run = client[name].bind(client)
    client[name] = (...args) => {
      const done = turn.then(async () => {
        try {
          const result = await run(...args)
          await after?.()
          return result
        } catch (error) {
          if (isBusy(error)) await renew()
          throw error
        }
      })
      turn = done.catch(() => undefined)
      return done
    }
  }
  takeTurns('execute')
  takeTurns('batch')
  takeTurns('transaction', setUp)
}

/** Longer than a shop writes at once, in milliseconds. */
const lockWaitMs = 30_000

/** Waits for what another process writes to the same SQLite file. It blocks the process, so it is for commands. */
export async function waitForLocks({ db }: Pick<BasePayload, 'db'>): Promise<void> {
  const adapter = db as unknown as SqliteAdapter
  if (adapter.client?.protocol !== 'file') return
  adapter.busyTimeout = Math.max(adapter.busyTimeout ?? 0, lockWaitMs)
  const execute = adapter.client.execute.bind(adapter.client) as (text: string) => Promise<unknown>
  await execute(`PRAGMA busy_timeout = ${adapter.busyTimeout}`)
}

const isBusy = (error: unknown): boolean => {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}
