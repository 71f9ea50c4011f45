import { headers } from 'next/headers.js'
import { getPayload, type SanitizedConfig } from 'payload'
import { cache } from 'react'
import type { Cart } from '../commerce/cart.js'
import type { Site } from '../commerce/site.js'
import { honeypotParameter } from '../http/form-guard.js'
import type { FlashNotice } from '../http/session.js'
import { partsOf } from '../installation.js'
import { cartHolder } from '../store/cart-holder.js'
import type { CartHolder } from '../store/carts.js'
import type { Visitor } from '../store/visitor.js'
import { BrowserCart, type BrowserCartProps } from './browser-cart.js'
import { formerCart, type FormerCart } from './former-cart.js'
import { hiddenInput, type HiddenField } from './hidden-input.js'
import { createPageForms, type PageForms } from './page-forms.js'
import { pageUrlOf } from './page-url.js'
import { sessionCart } from './session-cart.js'

export interface CsrfOptions {
  /**
   * Seconds that a person needs at least to fill in the form; a post that comes sooner is taken for
   * a robot's. Goes with `FormGuardInput`. Default: none.
   */
  minimumSeconds?: number | undefined
}

/**
 * What the pages of a Next.js store need: server components, and the same as plain functions. All
 * of them read the request, and need `visitorSession()` in the store's `proxy.ts`.
 *
 * @example
 * // storeconnect.ts
 * import config from '@payload-config'
 * import { storePages } from 'payload-storeconnect/next'
 * export const { CsrfInput, RedirectInput, FormGuardInput, FlashNotices } = storePages(config)
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
  const forms = async (): Promise<PageForms> => {
    const { secret } = await config
    makeForms ??= createPageForms({ secret })
    return makeForms(new Headers(await headers()))
  }
  const parts = async () => partsOf(await getPayload({ config }))
  // Once a page view, however many components of it ask.
  const readVisitor = cache(async (): Promise<Visitor | undefined> => {
    const given = new Headers(await headers())
    return (await parts()).visitorOf({ url: pageUrlOf(given), headers: given })
  })
  const readSite = cache(async (): Promise<Site | undefined> =>
    (await parts()).sites.at(pageUrlOf(new Headers(await headers()))),
  )
  const readHolder = cache(async (): Promise<CartHolder> => {
    const session = await (await forms()).session()
    return cartHolder(session, { visitor: await readVisitor(), site: await readSite() })
  })
  const readCart = cache(async (): Promise<Cart | undefined> =>
    (await parts()).carts?.find(await readHolder()),
  )

  const csrfField = async ({ minimumSeconds }: CsrfOptions = {}): Promise<HiddenField> =>
    (await forms()).csrfField(minimumSeconds === undefined ? undefined : { minimumSeconds })
  const redirectField = async (url: string): Promise<HiddenField> =>
    (await forms()).redirectField(url)

  return {
    /**
     * Has the extension's `EcommerceProvider` show the cart of the visitor's session. It stands inside
     * the provider, in the store's layout, and not below a Suspense boundary: the provider looks for
     * its cart when it is mounted, and what comes later comes too late.
     *
     * @example
     * <EcommerceProvider {...yours}>
     *   <SessionCart />
     *   {children}
     * </EcommerceProvider>
     */
    SessionCart: async ({ storageKey }: Pick<BrowserCartProps, 'storageKey'>) => {
      const { browserCarts } = await parts()
      if (browserCarts === undefined) return null
      const shown = await sessionCart(browserCarts, await readHolder())
      return <BrowserCart {...shown} storageKey={storageKey} />
    },

    /** The CSRF token as a hidden field. Each form that posts to an action needs one. */
    CsrfInput: async (options: CsrfOptions) => (
      <input type="hidden" {...await csrfField(options)} />
    ),

    /** Where the visitor is sent after the post: a path of the store, or an http(s) URL. */
    RedirectInput: async ({ url }: { url: string }) => (
      <input type="hidden" {...await redirectField(url)} />
    ),

    /**
     * A field that people do not see, and robots fill in. Where the store's security policy forbids
     * style attributes, a class of its own puts the field out of sight.
     */
    FormGuardInput: ({ className }: { className?: string }) => (
      <div aria-hidden="true" {...(className ? { className } : { style: outOfSight })}>
        <label>
          Leave this empty
          <input autoComplete="off" name={honeypotParameter} tabIndex={-1} type="text" />
        </label>
      </div>
    ),

    /** What the store has to tell the visitor, once: `Your cart has been updated.` */
    FlashNotices: async ({ className }: { className?: string }) => {
      const notices = (await forms()).notices()
      if (notices.length === 0) return null
      return (
        <div className={className}>
          {notices.map(({ kind, text }, index) => (
            <p data-kind={kind} key={index} role={kind === 'error' ? 'alert' : 'status'}>
              {text}
            </p>
          ))}
        </div>
      )
    },

    /** Name and value of the CSRF token, for a script's `X-CSRF-Token` or a page made otherwise. */
    csrfField,
    /** Name and value of a redirect. */
    redirectField,
    /** The HTML of the CSRF token's hidden field. */
    csrfInput: async (options?: CsrfOptions): Promise<string> =>
      hiddenInput(await csrfField(options)),
    /** The HTML of a redirect's hidden field. */
    redirectInput: async (url: string): Promise<string> => hiddenInput(await redirectField(url)),

    /** What `FlashNotices` shows, for a page that shows it otherwise. */
    readNotices: async (): Promise<FlashNotice[]> => (await forms()).notices(),

    /** The site that the visitor is on; undefined in a store without sites. */
    readSite,
    /** Who is logged in, if anybody. */
    readVisitor,
    /** The visitor's cart, if there is one. */
    readCart,
    /**
     * Where the visitor is sent after login, if they were on their way somewhere. The login action
     * goes there by itself; a login form that posts a `redirect` of its own sets it to this.
     */
    readReturnUrl: async (): Promise<string | undefined> =>
      (await (await forms()).session()).returnUrl,
    /**
     * The cart that the visitor had when another one came in its place, while it is theirs and not
     * empty, for a page that offers to bring it back.
     */
    readFormerCart: cache(async (): Promise<FormerCart | undefined> => {
      const { carts, restoreLinks: links } = await parts()
      const pageUrl = pageUrlOf(new Headers(await headers()))
      return carts && formerCart({ carts, links }, await readHolder(), pageUrl)
    }),
  }
}

// Robots leave out fields with `display: none`; these they fill in.
const outOfSight = {
  height: 1,
  left: -9999,
  overflow: 'hidden',
  position: 'absolute',
  width: 1,
} as const
