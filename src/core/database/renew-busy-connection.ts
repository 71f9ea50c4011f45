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
 * Works around a fault of `@libsql/client`, which keeps a statement open for a while after it failed
 * because the database was locked. Until it closes that statement, SQLite does not commit what the same
 * connection writes: it reports success and finally rolls everything back. So statements run one at a
 * time, and after such a failure the next one gets a new connection, set up as Payload sets up its
 * first.
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

/**
 * Has a process wait for what another one writes to the same SQLite file, where Payload's default is to fail at
 * once. It does nothing else meanwhile, so this is for commands.
 */
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
