import { homeUrl } from '../shop/sites/home-url.js'
import { createSigner } from '../core/signing.js'
import { siteUrl } from '../shop/sites/site.js'
import type { Shop } from '../core/shop.js'
import type { Sites } from '../shop/sites/sites.js'
import { idOf, valueAt } from '../core/payload/document-value.js'
import { parseUrl } from '../core/http/public-origin.js'
import type { BasePayload } from 'payload'
import { partsOf } from '../core/installation.js'

/** The path below `/actions/` of the action that restores an abandoned cart (`docs/interface.md` (Cart restore)). */
export const restorePath = 'marketingconnect/cart/restore'

/** The query parameters of a restore link. */
export interface RestoreLink {
  number: string
  /** A discount code to write on the cart. */
  coupon: string | undefined
  /** When the link stops working: seconds since 1970. */
  expires: string | undefined
  signature: string | undefined
}

export interface LinkOptions {
  /**
   * Whether a link must have Storeconnect's signature. If true, only Storeconnect can make links, and
   * older links without a signature stop working. Default false.
   */
  signedLinks?: boolean
  /** How many days a link works after it was made. If set, links are signed. Default: for ever. */
  linkDays?: number
}

const daySeconds = 24 * 60 * 60

const couponLimit = 64

/** Whether a text may be a discount code: short, and without control characters. */
export const isCoupon = (text: string): boolean =>
  text.trim() !== '' && text.length <= couponLimit && !/\p{Cc}/u.test(text) && text.isWellFormed()

export type RestoreLinks = ReturnType<typeof createRestoreLinks>

/** Makes and checks the links that restore abandoned carts. */
export function createRestoreLinks(
  { signedLinks = false, linkDays }: LinkOptions,
  { secret, now }: { secret: string; now: () => Date },
) {
  const isSigned = signedLinks || linkDays !== undefined
  const signer = createSigner(secret, 'restore')
  // With JSON, two different links never sign the same text.
  const textOf = ({ number, expires, coupon }: Omit<RestoreLink, 'signature'>) =>
    JSON.stringify([number, expires ?? null, coupon ?? null])
  const nowSeconds = () => Math.floor(now().getTime() / 1000)

  return {
    /**
     * Makes a link; undefined when the base URL cannot be used.
     *
     * @throws {TypeError} when the coupon is too long, blank or has control characters.
     */
    url(
      baseUrl: string,
      { number, coupon }: { number: string; coupon?: string | undefined },
    ): string | undefined {
      if (coupon !== undefined && !isCoupon(coupon)) {
        throw new TypeError(
          `A coupon in a link has 1 to ${couponLimit} characters, and no control characters.`,
        )
      }
      const expires =
        linkDays === undefined ? undefined : String(nowSeconds() + Math.ceil(linkDays * daySeconds))
      const link = { number, coupon, expires }
      const signature = isSigned ? signer.sign(textOf(link)) : undefined
      return restoreUrl(baseUrl, linkQuery({ ...link, signature }))
    },
    /** Whether the link may be followed. `forged` when its signature is required, and missing or wrong. */
    check(link: RestoreLink): 'good' | 'forged' | 'expired' {
      if (!isSigned) return 'good'
      if (!signer.isSigned(textOf(link), link.signature ?? '')) return 'forged'
      // A link that was made before links expired does not say how old it is.
      if (link.expires === undefined) return linkDays === undefined ? 'good' : 'expired'
      return Number(link.expires) > nowSeconds() ? 'good' : 'expired'
    },
  }
}

/** The link's parameters, in a fixed order. */
export function linkQuery({ number, coupon, expires, signature }: RestoreLink): URLSearchParams {
  const parameters = Object.entries({ number, coupon, expires, signature })
  return new URLSearchParams(
    parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Makes the link on a site; undefined when the base URL cannot be used. */
export const restoreUrl = (baseUrl: string, query: URLSearchParams): string | undefined =>
  siteUrl(baseUrl, `/actions/${restorePath}?${query}`)

/** Makes the restore link of a cart: on its own site, else on the primary one, else on the shop's own URL. */
export const createAbandonedCartUrl =
  (
    { payload, options: { fields } }: Shop,
    { sites, restoreLinks }: { sites: Sites; restoreLinks: RestoreLinks },
  ) =>
  async ({
    cart,
    coupon,
  }: Omit<AbandonedCartUrlOptions, 'payload'>): Promise<string | undefined> => {
    const home = homeUrl(payload)
    const number = valueAt(cart, fields.number) ?? valueAt(cart, 'number')
    if (typeof number !== 'string' || number === '') return undefined
    const site =
      (await sites.find(idOf(valueAt(cart, fields.site) ?? valueAt(cart, 'site')))) ??
      (await sites.at(parseUrl(home) ? home : 'https://origin.invalid/'))
    return restoreLinks.url(site?.baseUrl ?? home, { number, coupon })
  }

/**
 * Resolves to the link that restores a cart, for the store's own mails. It is the same link as
 * `CheckoutURL` of the cart events. Its base is the URL of the cart's site, else of the primary site,
 * else Payload's `serverURL`, else `NEXT_PUBLIC_SERVER_URL`. Undefined when the cart has no number or there is no
 * base URL. The link gives access to the cart: send it to the cart's customer only, and do not log it.
 *
 * @throws {TypeError} when the config has no enabled `storeConnect()`, or the coupon is longer than
 * 64 characters.
 * @example
 * const link = await abandonedCartUrl({ payload, cart, coupon: 'COME-BACK-10' })
 */
export const abandonedCartUrl = ({
  payload,
  ...link
}: AbandonedCartUrlOptions): Promise<string | undefined> =>
  partsOf(payload).then((parts) => parts.abandonedCartUrl(link))

export interface AbandonedCartUrlOptions {
  payload: BasePayload
  /** A document of `carts`, or an object with its number and site only. */
  cart: object
  /** A code for `restore.acceptCoupon`, at most 64 characters. Default: none. */
  coupon?: string | undefined
}
