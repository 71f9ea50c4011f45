import type { BasePayload } from 'payload'

const supported = [
  '@payloadcms/db-sqlite',
  '@payloadcms/db-postgres',
  '@payloadcms/db-vercel-postgres',
]

/**
 * Why Storeconnect does not work on the store's database; undefined where it does. Adapters are told
 * apart by their package: the one for Cloudflare D1 is called `sqlite` too, and answers otherwise.
 */
export function databaseRefusal({ db }: { db: { name: string } }): string | undefined {
  const { packageName } = db as { name: string; packageName?: string }
  if (packageName !== undefined && supported.includes(packageName)) return undefined
  return `Storeconnect does not work with this store's database adapter, ${packageName ?? `"${db.name}"`}. It needs @payloadcms/db-sqlite or @payloadcms/db-postgres.`
}

/** Whether the adapter keeps blocks as JSON in the row of their document, where no SQL of ours writes. */
export const keepsBlocksAsJson = ({ db }: Pick<BasePayload, 'db'>): boolean =>
  (db as { blocksAsJSON?: boolean }).blocksAsJSON === true
