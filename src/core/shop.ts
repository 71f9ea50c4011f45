import type { BasePayload } from 'payload'
import type { Database } from './database/database.js'
import type { Log } from './database/log.js'
import type { OptionsOf } from './options-schema.js'
import type { Effects } from './effects.js'
import type { ShopNames } from './shop-names.js'
import type { IsAdmin } from './payload/admin-access.js'
import type { Products, shopOptions } from './shop-options.js'

/** The options that most features read, complete. */
export interface ShopOptions
  extends ShopNames, Pick<OptionsOf<typeof shopOptions>, 'enabled' | 'timezone'> {
  products: Products
}

/**
 * What most parts of one Payload instance need. It is made once an instance, and handed on whole. A feature
 * names the options of its own that it reads: `Shop<OptionsOf<typeof siteOptions>>`.
 */
export interface Shop<Options = object> {
  payload: BasePayload
  options: ShopOptions & Options
  database: Database
  log: Log
  /** The slug of the customers' collection; undefined when orders have no customer field. */
  customersSlug: string | undefined
  isAdmin: IsAdmin
  effects: Effects
  /** The clock of all waits: it goes on when the wall clock is set back. */
  waits: Pick<Effects, 'now'>
}
