import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import type { RestoreLinks } from '../http/restore-link.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { isBusyDatabase } from '../store/payload/busy-database.js'
import type { Database } from '../store/payload/database.js'
import type { PayloadSites } from '../store/payload/payload-sites.js'
import type { PayloadSettings } from '../store/payload/settings.js'

/** What the parts of the feed stand on. */
export interface ShopParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  settings: PayloadSettings
  sites: PayloadSites
  restoreLinks: Pick<RestoreLinks, 'url'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  now: () => Date
}

/** What the log calls the document that something failed at. */
type About = Readonly<Record<string, unknown>>

/**
 * Runs what may fail by the store's own code: `mapOrder`, hooks, what reads its products. A failure is
 * logged, and costs what the work was for alone. A database that is away or busy is no such failure.
 *
 * @throws what the database fails with.
 */
export async function guarded<Result>(
  { database, payload }: ShopParts,
  work: () => Promise<Result>,
  { sentence, about }: { sentence: string; about: About | (() => Promise<About>) },
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isBusyDatabase(error)) throw error
    await database.rows(sql`select 1`)
    const named = typeof about === 'function' ? await about() : about
    payload.logger.error({ err: error, ...named }, sentence)
    return undefined
  }
}
