import type { Config, BasePayload } from 'payload'
import { EventEmitter } from 'node:events'

/** The part of `pg` that is used here. Only the adapter depends on `pg` itself. */
interface PostgresClient {
  host: string
  port: number
  on(event: 'error', listener: () => void): unknown
  connect(): Promise<unknown>
  connect(callback: Connected): void
  query(statement: string): Promise<{ rows: Record<string, unknown>[] }>
  end(): Promise<void>
}

type Connected = (error?: Error | null) => void

interface ClientConfig {
  connectionString?: string | undefined
  connectionTimeoutMillis?: number
  query_timeout?: number
}

type ClientClass = new (config: ClientConfig) => PostgresClient

interface PostgresAdapter {
  pg?: { Client: ClientClass; Pool: PoolClass }
  poolOptions?: ClientConfig & { Client?: ClientClass }
}

/** How long a host may take to report whether it accepts writes. */
const hostTimeoutMs = 5_000

/**
 * Lets a connection string name several PostgreSQL hosts, which `pg` does not: each connection goes to the one
 * that writes.
 */
export const withFailover = (db: Config['db']): Config['db'] => ({
  ...db,
  init(args) {
    const adapter = db.init(args)
    const { pg, poolOptions } = adapter as PostgresAdapter
    const urls = urlsOf(poolOptions?.connectionString ?? '')
    if (pg === undefined || urls.length < 2) return adapter
    const Client = clientOfPrimary(pg.Client, urls)
    return Object.assign(adapter, { poolOptions: { ...poolOptions, Client } })
  },
})

/** One URL for each host of `postgres://user:password@one:5432,other:5432/database`. */
export function urlsOf(connectionString: string): string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(connectionString) ?? []
  return hosts.split(',').map((host) => `${start}${host}${rest}`)
}

function clientOfPrimary(Client: ClientClass, urls: readonly string[]): ClientClass {
  let search: Promise<PostgresClient> | undefined

  const findPrimary = async (config: ClientConfig): Promise<PostgresClient> => {
    const checks = urls.map((connectionString) =>
      checkPrimary(
        new Client({
          connectionTimeoutMillis: hostTimeoutMs,
          query_timeout: hostTimeoutMs,
          ...config,
          connectionString,
        }),
      ),
    )
    try {
      return await Promise.any(checks)
    } catch (error) {
      throw new Error('No host of the connection string takes writes.', { cause: error })
    }
  }

  return class extends Client {
    readonly #config: ClientConfig

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: urls[0] })
      this.#config = config
    }

    override connect(): Promise<unknown>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<unknown> | void {
      // Connections that begin at the same time share one search.
      search ??= findPrimary(this.#config).finally(() => (search = undefined))
      const found = search.then(({ host, port }) => Object.assign(this, { host, port }))
      if (callback === undefined) return found.then(() => super.connect())
      found.then(() => super.connect(callback), callback)
    }
  }
}

/** @throws when the host cannot be reached or is a standby. */
async function checkPrimary<C extends PostgresClient>(client: C): Promise<C> {
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off')
      throw new Error(`${client.host}:${client.port} is a standby.`)
    return client
  } finally {
    await client.end()
  }
}

interface PoolClient {
  on(event: 'error', listener: (this: PoolClient, error: Error) => void): void
  off(event: 'error', listener: (this: PoolClient, error: Error) => void): void
  release(error?: Error): void
}

interface Pool {
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'acquire', listener: (client: PoolClient) => void): void
  on(event: 'release', listener: (error: Error | undefined, client: PoolClient) => void): void
}

/** What the adapters for PostgreSQL have of their pool: Vercel's leaves it to Drizzle. */
interface PoolOwner {
  name: string
  pool?: Pool
  drizzle?: { $client?: Pool }
}

/**
 * Keeps a lost connection from ending the process: Payload listens to errors of its first one only, and on
 * Vercel to none.
 */
export function surviveLostConnections({ db, logger }: BasePayload): void {
  const { name, drizzle, pool = drizzle?.$client } = db as PoolOwner
  if (name !== 'postgres' || pool === undefined) return
  // Only the message is logged: the error object contains the whole client.
  pool.on('error', ({ message: reason }) =>
    logger.warn({ reason }, 'A connection to the database was lost'),
  )
  pool.on('acquire', (client) => client.on('error', giveBack))
  pool.on('release', (_, client) => client.off('error', giveBack))
}

/** Drizzle never releases a connection that is lost while a transaction begins. */
function giveBack(this: PoolClient, error: Error): void {
  this.release(error)
  this.release = () => undefined
}

interface ConnectingPool {
  connect(callback?: unknown): Promise<Pick<PoolClient, 'release'>>
}

type PoolClass = new (options: unknown) => ConnectingPool

/** Payload's PostgreSQL adapter takes one connection and never gives it back, which would halve a pool of two. */
export const withWholePool = (db: Config['db']): Config['db'] => ({
  ...db,
  init(args) {
    const adapter = db.init(args)
    const { pg } = adapter as PostgresAdapter
    if (pg === undefined) return adapter
    const whole: unknown = Object.create(pg, { Pool: { value: poolWithoutWaste(pg.Pool) } })
    return Object.assign(adapter, { pg: whole })
  },
})

function poolWithoutWaste(Pool: PoolClass): PoolClass {
  return class extends Pool {
    #isTried = false

    override connect(callback?: unknown): ReturnType<ConnectingPool['connect']> {
      if (this.#isTried || callback !== undefined) return super.connect(callback)
      this.#isTried = true
      return this.#tryOut()
    }

    /** The adapter needs to know that the database is there, and listens to the errors of what it gets. */
    async #tryOut(): ReturnType<ConnectingPool['connect']> {
      const client = await super.connect()
      client.release()
      return Object.assign(new EventEmitter(), { release: () => undefined })
    }
  }
}
