import type { Config } from 'payload'

/** What is used of `pg`, which only the adapter depends on. */
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
  pg?: { Client: ClientClass }
  poolOptions?: ClientConfig & { Client?: ClientClass }
}

/** How long a host may take to say whether it takes writes. */
const longestLookMs = 5_000

/**
 * Lets a connection string name several PostgreSQL hosts, as libpq does and `pg` does not: each
 * connection goes to the one that takes writes.
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
  let looking: Promise<PostgresClient> | undefined

  const findPrimary = async (config: ClientConfig): Promise<PostgresClient> => {
    const looks = urls.map((connectionString) =>
      lookAt(
        new Client({
          connectionTimeoutMillis: longestLookMs,
          query_timeout: longestLookMs,
          ...config,
          connectionString,
        }),
      ),
    )
    try {
      return await Promise.any(looks)
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
      // Connections that begin together look once.
      looking ??= findPrimary(this.#config).finally(() => (looking = undefined))
      const found = looking.then(({ host, port }) => Object.assign(this, { host, port }))
      if (callback === undefined) return found.then(() => super.connect())
      found.then(() => super.connect(callback), callback)
    }
  }
}

/** @throws when the host is away, or is a standby. */
async function lookAt<C extends PostgresClient>(client: C): Promise<C> {
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
