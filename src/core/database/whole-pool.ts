import { EventEmitter } from 'node:events'
import type { Config } from 'payload'

interface Client {
  release(): void
}

/** The part of `pg` that is used here. Only the adapter depends on `pg` itself. */
interface Pool {
  connect(callback?: unknown): Promise<Client>
}

type PoolClass = new (options: unknown) => Pool

interface PostgresAdapter {
  pg?: { Pool: PoolClass }
}

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

    override connect(callback?: unknown): Promise<Client> {
      if (this.#isTried || callback !== undefined) return super.connect(callback)
      this.#isTried = true
      return this.#tryOut()
    }

    /** The adapter needs to know that the database is there, and listens to the errors of what it gets. */
    async #tryOut(): Promise<Client> {
      const client = await super.connect()
      client.release()
      return Object.assign(new EventEmitter(), { release: () => undefined })
    }
  }
}
