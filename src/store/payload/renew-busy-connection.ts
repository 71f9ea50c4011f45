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
 * `@libsql/client` keeps a statement for a while that failed because the database was locked. Until
 * then SQLite commits nothing of what the same connection writes, says that it did, and takes it all
 * back in the end. So statements take turns, and after such a failure the next one gets another
 * connection, which has to be set up as Payload does with its first.
 */
export function renewBusyConnection({ db }: Pick<BasePayload, 'db'>): void {
  const { client, busyTimeout = 0, wal = false } = db as unknown as SqliteAdapter
  if (client?.protocol !== 'file' || renewed.has(client)) return
  renewed.add(client)
  const execute = client.execute.bind(client) as (statement: string) => Promise<unknown>
  const transaction = client.transaction.bind(client) as (mode: string) => Promise<Transaction>
  let turn: Promise<unknown> = Promise.resolve()

  const setUp = async (): Promise<void> => {
    await execute(`PRAGMA busy_timeout = ${busyTimeout}`)
    if (wal) await execute(`PRAGMA synchronous = ${wal.synchronous}`)
  }

  /** A transaction takes the connection along: the client makes another one. */
  const renew = async (): Promise<void> => {
    const left = await transaction('deferred')
    left.close()
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

const isBusy = (error: unknown): boolean => {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}
