import * as z from 'zod/mini'
import { callback, schemaOf } from '../core/options-schema.js'
import type { Site } from '../shop/sites/site.js'
import type { LinkOptions } from './restore-link.js'

/** The content of one page of cart restore. All texts are in the site's language. */
export interface RestorePage {
  /** The site that the visitor is on; undefined in a store without sites. */
  site: Site | undefined
  /** The language of the page, as a BCP 47 tag. */
  language: string
  heading: string
  explanation: string
  /** The text of the button. */
  button: string
  /**
   * What the button does. A page must post all `fields` with the form. The page that leads to the login
   * has none.
   */
  form: {
    method: 'get' | 'post'
    action: string
    fields: readonly { name: string; value: string }[]
  }
  /** A link that leaves everything as it is, on the page that asks to log out: to the visitor's own cart. */
  stay?: { text: string; url: string }
}

/** Returns the HTML of a whole page, or a `Response` of the store's own. */
export type RenderRestorePage = (
  page: RestorePage,
) => string | Response | Promise<string | Response>

export interface RestoreOptions extends LinkOptions {
  /**
   * Returns whether the link's `coupon` may be written on the cart. It is called for each restored cart
   * whose link has a coupon. Default: coupons are ignored.
   */
  acceptCoupon?: (coupon: { code: string; number: string }) => boolean | Promise<boolean>
  /** Pages of the store's own. Default: Storeconnect's plain pages. */
  pages?: {
    /** Shown to a logged-in visitor who opens the link of another customer's cart. */
    logOut?: RenderRestorePage
    /** Shown to a logged-out visitor who opens the link of a customer's cart. */
    logIn?: RenderRestorePage
  }
}

export interface GivenRestoreOptions {
  /**
   * The page where shoppers log in: a path below the site's base URL, or a URL. On the origin of the link it gets
   * the parameter `redirect`, the path that leads back to the cart. Default `/login`.
   */
  loginPath?: string
  /**
   * In a store without sites, the page that shows the cart and to which restored carts lead: a path, or a URL. Sites
   * have a Cart URL each. Default `/checkout`, as in Payload's ecommerce template.
   */
  cartPath?: string
  /** How links restore abandoned carts. */
  restore?: RestoreOptions
}

export const restoreOptions = schemaOf<GivenRestoreOptions>()(
  z.strictObject({
    loginPath: z._default(z.string().check(z.minLength(1)), '/login'),
    cartPath: z._default(z.string().check(z.minLength(1)), '/checkout'),
    restore: z.prefault(
      z.strictObject({
        signedLinks: z.optional(z.boolean()),
        linkDays: z.optional(z.number().check(z.positive())),
        acceptCoupon: z.optional(callback<RestoreOptions['acceptCoupon']>()),
        pages: z.optional(
          z.strictObject({
            logOut: z.optional(callback<RenderRestorePage>()),
            logIn: z.optional(callback<RenderRestorePage>()),
          }),
        ),
      }),
      {},
    ),
  }),
)
