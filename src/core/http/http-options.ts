import * as z from 'zod/mini'
import { schemaOf } from '../options-schema.js'
import type { TrustProxy } from './client-ip.js'
import type { StoreAction } from './define-action.js'
import { pageColorsSchema, type PageColors } from './page-colors.js'

export interface GivenHttpOptions {
  /**
   * The proxies in front of the shop, and the header in which they write the client IP. Storeconnect
   * throttles logins and posts for each client IP. Set this only when every request passes these
   * proxies, because clients can send the header too. Default: no header is trusted. `actionsListener`
   * then uses the address of the connection; Next.js and Payload's API see no address, and throttle
   * logins for each account only.
   *
   * @example
   * // One proxy, which appends the address that it sees, as most proxies do.
   * trustProxy: { header: 'x-forwarded-for', proxies: 1 }
   */
  trustProxy?: TrustProxy
  /**
   * The colours of the small pages that Storeconnect shows to shoppers, such as Log Out to Continue and errors. Default:
   * Storeconnect's own, light and dark.
   *
   * @throws {TypeError} when a text would have less contrast than 4.5 to 1 (WCAG 2.2, 1.4.3).
   */
  pageColors?: PageColors
  /** The store's own actions, made with `defineAction`. Forms may name them in `forward`. */
  actions?: readonly StoreAction[]
}

export const httpOptions = schemaOf<GivenHttpOptions>()(
  z.strictObject({
    trustProxy: z.optional(
      z.strictObject({
        header: z.string().check(z.regex(/^[\w-]+$/, { error: 'must be the name of a header' })),
        proxies: z.optional(z.int().check(z.minimum(1))),
      }),
    ),
    pageColors: z.optional(pageColorsSchema),
    // Each action was checked when it was defined.
    actions: z._default(
      z.readonly(z.array(z.custom<StoreAction>((value) => typeof value === 'object'))),
      [],
    ),
  }),
)
