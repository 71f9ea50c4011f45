import type { BasePayload } from 'payload'
import type { Database } from './database/database.js'
import type { Log } from './database/log.js'
import { type OptionsOf, callback, schemaOf } from './options-schema.js'
import type { Effects } from './effects.js'
import type { Visitors } from './workers/visitors.js'
import type { ShopNames } from './shop-names.js'
import type { IsAdmin } from './payload/admin-access.js'
import * as z from 'zod/mini'

/** The options that no feature has for itself. */
export interface GivenShopOptions {
  /**
   * `false` removes the actions and hooks. The collections and fields stay, so that the database schema
   * does not change. Default `true`.
   */
  enabled?: boolean
  /**
   * The shop's time zone (IANA name). Dates without an offset are read in it. Default `UTC`.
   */
  timezone?: string
  /**
   * Decides who may see and change settings, sites and Storeconnect's own collections. Default: the
   * users of the admin's collection or, where it has a `roles` or `role` field, its users with the role
   * `admin`. When customers are in that collection too, it must have such a field.
   */
  isAdmin?: IsAdmin
}

/** Whether the store has ShipStation, and whether it has Klaviyo. */
export interface Products {
  shipping: boolean
  marketing: boolean
}

export const shopOptions = schemaOf<GivenShopOptions>()(
  z.strictObject({
    enabled: z._default(z.boolean(), true),
    timezone: z._default(
      z.string().check(z.refine(isTimezone, { error: 'is not an IANA time zone' })),
      'UTC',
    ),
    isAdmin: z.optional(callback<IsAdmin>()),
  }),
)

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The options that most features read, complete. */
export interface ShopOptions
  extends ShopNames, Pick<OptionsOf<typeof shopOptions>, 'enabled' | 'timezone'> {
  products: Products
}

/**
 * What most parts of one Payload instance need. A feature names the options of its own: `Shop<OptionsOf<typeof
 * siteOptions>>`.
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
  visitors: Visitors
}

/** What is around a shop. A test replaces it. */
export type Around = Effects & Pick<Shop, 'visitors'>
