import type { BasePayload } from 'payload'

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

/**
 * Payload's adapter for PostgreSQL listens to its first connection only: when the database restarts or
 * fails over, any other that is lost would end the process.
 */
export function surviveLostConnections({ db, logger }: BasePayload): void {
  const { pool } = db as { pool?: Pool }
  if (pool === undefined) return
  // The error itself carries the whole client.
  pool.on('error', ({ message: reason }) =>
    logger.warn({ reason }, 'A connection to the database was lost'),
  )
  pool.on('acquire', (client) => client.on('error', giveBack))
  pool.on('release', (_, client) => client.off('error', giveBack))
}

/** Drizzle keeps a connection for ever that is lost while a transaction begins. */
function giveBack(this: PoolClient, error: Error): void {
  this.release(error)
  this.release = () => undefined
}
