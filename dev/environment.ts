import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the demo store: `dev/`. */
export const storeDirectory = path.dirname(fileURLToPath(import.meta.url))

/** The directory of the whole project. */
export const projectDirectory = path.dirname(storeDirectory)

/** ShipStation's password unless `SHIPSTATION_PASSWORD` says otherwise. */
export const demoShippingPassword = 'shipstation-demo'

/** Environment variables; `process.env` is one. */
export type Variables = Record<string, string | undefined>

export interface StoreEnvironment {
  host: string
  port: number
  /** What a browser opens: a wildcard host is reached through 127.0.0.1. */
  origin: string
  /** Holds the SQLite file, the uploads and the secret. */
  dataDirectory: string
  /** `file:…` is SQLite, `postgres://…` is PostgreSQL. */
  databaseUrl: string
}

/** Reads what the store needs from environment variables; every one of them has a default. */
export function readEnvironment(env: Variables = process.env): StoreEnvironment {
  const host = env.HOST || '127.0.0.1'
  const port = parsePort(env.PORT || '3000')
  // Next.js would pack the whole project for a path that it cannot know.
  const dataDirectory = path.resolve(
    /*turbopackIgnore: true*/ env.STORE_DATA_DIR || path.join(storeDirectory, '.data'),
  )
  return {
    host,
    port,
    origin: originOf(host, port),
    dataDirectory,
    databaseUrl: env.DATABASE_URL || `file:${path.join(dataDirectory, 'store.db')}`,
  }
}

export function originOf(host: string, port: number): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Fills the variables that Payload and the plugin read with the demo's defaults. Call it before
 * the Payload config is imported.
 */
export function applyEnvironment(env: Variables = process.env): StoreEnvironment {
  const environment = readEnvironment(env)
  mkdirSync(environment.dataDirectory, { recursive: true })
  env.STORE_DATA_DIR = environment.dataDirectory
  env.DATABASE_URL = environment.databaseUrl
  env.STORE_ORIGIN = environment.origin
  env.PAYLOAD_SECRET ||= keptSecret(environment.dataDirectory)
  env.SHIPSTATION_PASSWORD ||= demoShippingPassword
  env.NEXT_TELEMETRY_DISABLED = '1'
  return environment
}

/** One secret for each data directory, so that sessions survive a restart. */
function keptSecret(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'secret')
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new TypeError(`PORT must be a whole number from 0 to 65535, not "${text}"`)
  }
  return port
}
