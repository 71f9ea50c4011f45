import { createHmac } from 'node:crypto'
import { derivedKey } from './derived-key.js'
import { sameMac } from './same-text.js'
import { siteUrl } from './site-url.js'

/** The action that puts a left cart back, below `/actions/` (`interface.md`). */
export const restorePath = 'marketingconnect/cart/restore'

/** What a restore link says, as its query has it. */
export interface RestoreLink {
  number: string
  /** A discount code to write on the cart. */
  coupon: string | undefined
  /** When the link stops working: seconds since 1970. */
  expires: string | undefined
  signature: string | undefined
}

/** Links that bring a left cart back. */
export interface RestoreLinks {
  /**
   * Undefined when the base URL is fit for no link.
   *
   * @throws {TypeError} when the coupon is none that a link can carry.
   */
  url(baseUrl: string, cart: { number: string; coupon?: string | undefined }): string | undefined
  /** Whether the link may be followed. `forged` where signatures are asked for and this is none. */
  check(link: RestoreLink): 'good' | 'forged' | 'expired'
}

export interface RestoreLinkParts {
  /** The store's secret: the one of the Payload config. */
  secret: string
  /** Whether links are signed; those that expire are. Default false. */
  signed?: boolean | undefined
  /** Days that a link works. Default: for ever. */
  linkDays?: number | undefined
  now: () => Date
}

const daySeconds = 24 * 60 * 60

const couponLimit = 64

/** Whether a text may be a discount code: short, and without control characters. */
export const isCoupon = (text: string): boolean =>
  text.trim() !== '' && text.length <= couponLimit && !/\p{Cc}/u.test(text) && text.isWellFormed()

export function createRestoreLinks({
  secret,
  linkDays,
  signed = false,
  now,
}: RestoreLinkParts): RestoreLinks {
  const isSigned = signed || linkDays !== undefined
  const key = derivedKey(secret, 'restore')
  // As JSON, no two links sign the same text.
  const signatureOf = ({ number, expires, coupon }: Omit<RestoreLink, 'signature'>) =>
    createHmac('sha256', key)
      .update(JSON.stringify([number, expires ?? null, coupon ?? null]))
      .digest('base64url')
  const nowSeconds = () => Math.floor(now().getTime() / 1000)

  return {
    url(baseUrl, { number, coupon }) {
      if (coupon !== undefined && !isCoupon(coupon)) {
        throw new TypeError(
          `A coupon in a link has 1 to ${couponLimit} characters, and no control characters.`,
        )
      }
      const expires =
        linkDays === undefined ? undefined : String(nowSeconds() + Math.ceil(linkDays * daySeconds))
      const link = { number, coupon, expires }
      const signature = isSigned ? signatureOf(link) : undefined
      return restoreUrl(baseUrl, linkQuery({ ...link, signature }))
    },
    check(link) {
      if (!isSigned) return 'good'
      if (!sameMac(link.signature ?? '', signatureOf(link))) return 'forged'
      // A link from before links expired tells nobody how old it is.
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

/** The link on a site. Undefined when its base URL is fit for no link. */
export const restoreUrl = (baseUrl: string, query: URLSearchParams): string | undefined =>
  siteUrl(baseUrl, `/actions/${restorePath}?${query}`)
