import { englishText, type PlainKey } from '../translations/translation.js'

/** Why Storeconnect does not work in a store. */
export interface Refusal {
  code: 'DATABASE_NOT_SUPPORTED' | 'HOST_NOT_SUPPORTED'
  /** For the log and the answers of actions. */
  message: string
  /** The same for the admin. */
  text: { key: PlainKey; values?: Readonly<Record<string, string>> }
}

interface AnyDatabase {
  db: { name: string }
}

const supportedAdapters = [
  '@payloadcms/db-sqlite',
  '@payloadcms/db-postgres',
  '@payloadcms/db-vercel-postgres',
]

/** Undefined when Storeconnect works on the store's host and database. */
export function refusalIn(payload: AnyDatabase): Refusal | undefined {
  if (isOnWorkers()) return refusal('HOST_NOT_SUPPORTED', { key: 'errorWorkers' })
  const adapter = unsupportedAdapter(payload)
  if (adapter === undefined) return undefined
  return refusal('DATABASE_NOT_SUPPORTED', { key: 'errorDatabase', values: { adapter } })
}

const refusal = (code: Refusal['code'], text: Refusal['text']): Refusal => ({
  code,
  message: englishText(text.key, text.values),
  text,
})

/** Cloudflare Workers let no request use what another one has opened, but our requests share readings and turns. */
const isOnWorkers = (): boolean =>
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent ===
  'Cloudflare-Workers'

/** The package name decides, because the adapter for Cloudflare D1 is also called `sqlite` but behaves differently. */
function unsupportedAdapter({ db }: AnyDatabase): string | undefined {
  const { packageName } = db as { name: string; packageName?: string }
  if (packageName === undefined) return `"${db.name}"`
  return supportedAdapters.includes(packageName) ? undefined : packageName
}
