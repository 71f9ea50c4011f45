import type { BasePayload } from 'payload'
import type { RestoreLinks } from '../http/restore-link.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
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
