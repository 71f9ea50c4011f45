import { headers } from 'next/headers.js'
import { getPayload, type SanitizedConfig } from 'payload'
import { cache } from 'react'
import { sessionCart, type SessionCart } from '../../carts/accounts/session-info-action.js'
import type { Cart } from '../../carts/cart.js'
import type { Site } from '../../shop/sites/site.js'
import { honeypotParameter } from '../../marketing/forms/form-guard.js'
import type { FlashNotice } from '../../core/http/session.js'
import { hasProduct, partsForPage } from '../../core/installation.js'
import { cartHolder, type CartHolder } from '../../carts/find-cart.js'
import { lazy } from '../../core/database/cached-value.js'
import type { Visitor } from '../../core/http/visit.js'
import type { Profile } from '../../marketing/klaviyo/profile.js'
import { hiddenInput, type HiddenField } from '../../core/http/html-page.js'
import { createConsentOffers } from '../../marketing/consent/checkout-consent.js'
import { ConsentBoxes, type CheckoutConsentProps } from './checkout-consent.js'
import { formerCart, type FormerCart } from './former-cart.js'
import { createPageForms } from './page-forms.js'
import { pageUrlOf } from './visitor-session.js'
import type { OnsiteEvent } from '../../marketing/onsite/onsite-events.js'

/** A visitor with the profile of their account. */
export interface ProfiledVisitor extends Visitor {
  /**
   * What may be sent to Klaviyo about the account, as the option `mapUser` says. Empty when `mapUser`
   * fails, which is logged, when the account's email is not verified, or in a store without Klaviyo.
   */
  profile(): Promise<Profile>
}

export interface CsrfOptions {
  /**
   * The fewest seconds that a person needs to fill in the form. A post that comes sooner counts as a
   * robot's. Use it together with `FormGuardInput`. Default: none.
   */
  minimumSeconds?: number | undefined
}

export interface ViewedProductOptions {
  /** The currency of the price (ISO 4217). Default: the store's default currency. */
  currency?: string | undefined
  /** URL of a static page, which says the site. Default: the request's own, so that the page is not static. */
  pageUrl?: string | undefined
}

/** Where Klaviyo's script is. */
export interface KlaviyoScript {
  /** Klaviyo's public API key (site id). */
  companyId: string
  /** The URL below which the script is. */
  scriptUrl: string
}

/**
 * Makes what the pages of a Next.js store need: server components, and plain functions that do the
 * same. All of them except the redirect's and `FormGuardInput` read the request. A page that uses one
 * is therefore rendered for each request, and the store's `proxy.ts` needs `visitorSession()`. Layouts
 * of static pages use `FlashNotices` and `SessionCart` from `payload-storeconnect/react` instead.
 * Where Storeconnect is switched off or does not support the database, there is no cart and no site.
 *
 * @example
 * // storeconnect.ts
 * import config from '@payload-config'
 * import { storePages } from 'payload-storeconnect/next'
 * export const { CsrfInput, RedirectInput, FormGuardInput, readNotices } = storePages(config)
 *
 * // any page
 * <form action="/actions/marketingconnect/api/track" method="post">
 *   <CsrfInput />
 *   <RedirectInput url="/thanks" />
 *   <input name="email" type="email" required />
 * </form>
 */
export function storePages(config: Promise<SanitizedConfig> | SanitizedConfig) {
  let makeForms: ReturnType<typeof createPageForms> | undefined
  const formsFor = async (given: Headers) => {
    makeForms ??= createPageForms((await config).secret)
    return makeForms(given)
  }
  const forms = async () => formsFor(new Headers(await headers()))
  const parts = async () => partsForPage(await getPayload({ config }))
  // `cache` makes all components of one page view share one answer.
  const readVisitor = cache(async (): Promise<ProfiledVisitor | undefined> => {
    const given = new Headers(await headers())
    const { visitorOf, profileOf } = (await parts()) ?? {}
    const visitor = await visitorOf?.({ url: pageUrlOf(given), headers: given })
    return (
      visitor && {
        ...visitor,
        profile: lazy(() => profileOf?.(visitor) ?? Promise.resolve({})),
      }
    )
  })
  const readSite = cache(async (): Promise<Site | undefined> =>
    (await parts())?.sites.at(pageUrlOf(new Headers(await headers()))),
  )
  const readHolder = cache(async (): Promise<CartHolder> => {
    const session = await (await forms()).session()
    return cartHolder(session, { visitor: await readVisitor(), site: await readSite() })
  })
  const readCart = cache(async (): Promise<Cart | undefined> =>
    (await parts())?.carts?.find(await readHolder()),
  )

  const csrfField = async ({ minimumSeconds }: CsrfOptions = {}): Promise<HiddenField> =>
    (await forms()).csrfField(minimumSeconds === undefined ? undefined : { minimumSeconds })
  // This value is the same for every visitor, so a page that contains it stays static.
  const redirectField = async (url: string): Promise<HiddenField> =>
    (await formsFor(new Headers())).redirectField(url)

  return {
    /** A hidden field with the CSRF token. Each form that posts to an action needs one. */
    CsrfInput: async (options: CsrfOptions) => (
      <input type="hidden" {...await csrfField(options)} />
    ),

    /** A hidden field that says where the post leads: a path of the store, or an http(s) URL. */
    RedirectInput: async ({ url }: { url: string }) => (
      <input type="hidden" {...await redirectField(url)} />
    ),

    /**
     * A field that people do not see and that robots fill in. A style attribute hides it. Where the
     * store's security policy forbids style attributes, pass a `className` that hides it.
     */
    FormGuardInput: ({ className }: { className?: string }) => (
      <div aria-hidden="true" {...(className ? { className } : { style: outOfSight })}>
        <label>
          Leave this empty
          <input autoComplete="off" name={honeypotParameter} tabIndex={-1} type="text" />
        </label>
      </div>
    ),

    /**
     * Asks at the checkout for consent to marketing by email, by text message or both. Put it into a form
     * that posts to `commerce/cart/update-cart` before the payment begins: the cart keeps the answers as
     * proof, and the order takes them over. With a `page` the page stays static. A store without Klaviyo asks
     * nothing.
     *
     * @example
     * <CheckoutConsent legend="News" email="Yes, send me the newsletter of Kettle & Quill." version="2026-03" />
     */
    CheckoutConsent: async ({ page, ...asked }: CheckoutConsentProps) => {
      const given = await config
      return hasProduct(given, 'marketing') ? (
        <ConsentBoxes
          {...asked}
          offers={createConsentOffers({ secret: given.secret })}
          page={page ?? pageUrlOf(new Headers(await headers()))}
        />
      ) : null
    },

    /** Name and value of the CSRF token, for a script's `X-CSRF-Token` header or a page without JSX. */
    csrfField,
    /** Name and value of the redirect's hidden field. */
    redirectField,
    /** The HTML of the CSRF token's hidden field. */
    csrfInput: async (options?: CsrfOptions): Promise<string> =>
      hiddenInput(await csrfField(options)),
    /** The HTML of a redirect's hidden field. */
    redirectInput: async (url: string): Promise<string> => hiddenInput(await redirectField(url)),

    /** The flash notices of this page view, for `<FlashNotices notices={…} />`. */
    readNotices: async (): Promise<FlashNotice[]> => (await forms()).notices(),

    /** The site that the visitor is on; undefined in a store without sites. */
    readSite,
    /** The logged-in user; undefined when nobody is logged in. */
    readVisitor,
    /** The visitor's cart; undefined when there is none. */
    readCart,
    /** The cart that the browser shows, for `<BrowserCart {...cart} />`. */
    readBrowserCart: async (): Promise<SessionCart> => {
      const carts = (await parts())?.carts
      return carts ? sessionCart(carts, await readHolder()) : {}
    },
    /**
     * The page that the visitor returns to after login; undefined when none was noted. The login
     * action redirects there by itself. A login form that posts a `redirect` sets it to this URL.
     */
    readReturnUrl: async (): Promise<string | undefined> =>
      (await (await forms()).session()).returnUrl,
    /**
     * The props of `<KlaviyoOnsite>` that the settings know; undefined while the public API key is blank.
     * It does not read the request, so a static page may call it.
     */
    readKlaviyoOnsite: async (): Promise<KlaviyoScript | undefined> => {
      const script = await (await parts())?.onsite?.script()
      return script && { companyId: script.companyId, scriptUrl: script.url }
    },
    /**
     * The event of `<ViewedProduct>`, as every visitor sees the product. Undefined when the product is not
     * published, while the public API key is blank, or when the hook `beforeEvent` vetoes it.
     */
    readViewedProduct: async (
      productId: number | string,
      { currency, pageUrl }: ViewedProductOptions = {},
    ): Promise<OnsiteEvent | undefined> => {
      const { onsite, sites } = (await parts()) ?? {}
      if ((await onsite?.script()) === undefined) return undefined
      const site = pageUrl === undefined ? await readSite() : await sites?.at(pageUrl)
      return onsite?.viewedProduct({ productId, siteId: site?.id, currency })
    },
    /**
     * The cart that the visitor had before another one was restored, for a page that offers to bring
     * it back. Undefined when there is none, when it is empty, or when it is no longer theirs.
     */
    readFormerCart: cache(async (): Promise<FormerCart | undefined> => {
      const { carts, restoreLinks: links } = (await parts()) ?? {}
      const pageUrl = pageUrlOf(new Headers(await headers()))
      return carts && links && formerCart({ carts, links }, await readHolder(), pageUrl)
    }),
  }
}

// Robots skip fields with `display: none`, but fill in fields that are only out of sight.
const outOfSight = {
  height: 1,
  left: -9999,
  overflow: 'hidden',
  position: 'absolute',
  width: 1,
} as const
