import type { BasePayload } from 'payload'
import { sqlDatabase } from '../../src/core/database/database.js'
import { realEffects } from '../../src/core/effects.js'
import { featuresOf } from '../../src/plugin/features.js'
import {
  resolveOptions,
  type ResolvedOptions,
  type StoreConnectOptions,
} from '../../src/plugin/options.js'
import type { Around, Shop } from '../../src/core/shop.js'
import { realVisitors } from '../../src/core/workers/visitors.js'

const features = await featuresOf({ shipping: true, marketing: true })

/** The options of a store with ShipStation and Klaviyo, complete. */
export const resolvedOptions = (options: StoreConnectOptions = {}): ResolvedOptions =>
  resolveOptions(options, features)

/** What the parts of an instance are made with, and effects of the test's own. */
export function shopOf(
  payload: BasePayload,
  { visitors = realVisitors, ...given }: Partial<Around> = {},
  options: StoreConnectOptions = {},
): Shop<ResolvedOptions> {
  const effects = { ...realEffects, ...given }
  return {
    payload,
    options: resolvedOptions(options),
    database: sqlDatabase(payload),
    log: payload.logger,
    customersSlug: 'users',
    isAdmin: () => false,
    effects,
    waits: effects,
    visitors,
  }
}
