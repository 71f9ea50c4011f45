import { headers } from 'next/headers.js'
import { getPayload, type SanitizedConfig } from 'payload'
import { cache } from 'react'
import { sessionCart, type SessionCart } from '../actions/session-info/session-cart.js'
import type { Cart } from '../commerce/cart.js'
import type { Site } from '../commerce/site.js'
import { honeypotParameter } from '../http/form-guard.js'
import type { FlashNotice } from '../http/session.js'
import { partsForPage } from '../installation.js'
import { cartHolder } from '../store/cart-holder.js'
import type { CartHolder } from '../store/carts.js'
import type { Visitor } from '../store/visitor.js'
import { formerCart, type FormerCart } from './former-cart.js'
import { hiddenInput, type HiddenField } from './hidden-input.js'
import { createPageForms, type PageForms } from './page-forms.js'
import { pageUrlOf } from './page-url.js'

export interface CsrfOptions {
  /**
   * Seconds that a person needs at least to fill in the form; a post that comes sooner is taken for
   * a robot's. Goes with `FormGuardInput`. Default: none.
   */
  minimumSeconds?: number | undefined
}

/**
 * What the pages of a Next.js store need: server components, and the same as plain functions. All but
 * `RedirectInput` and `FormGuardInput` read the request, so their pages are made for each visit; they
 * need `visitorSession()` in the store's `proxy.ts`. Layouts of static pages take `FlashNotices` and
 * `SessionCart` from `payload-storeconnect/react`. Where Storeconnect is switched off or refuses the
 * database, nobody has a cart, and there is nothing to show.
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
  const formsFor = async (given: Headers): Promise<PageForms> => {
    const { secret } = await config
    makeForms ??= createPageForms({ secret })
    return makeForms(given)
  }
  const forms = async () => formsFor(new Headers(await headers()))
  const parts = async () => partsForPage(await getPayload({ config }))
  // Once a page view, however many components of it ask.
  const readVisitor = cache(async (): Promise<Visitor | undefined> => {
    const given = new Headers(await headers())
    return (await parts())?.visitorOf({ url: pageUrlOf(given), headers: given })
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
  // The same for every visitor, so a page that has it stays static.
  const redirectField = async (url: string): Promise<HiddenField> =>
    (await formsFor(new Headers())).redirectField(url)

  return {
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

    /** Name and value of the CSRF token, for a script's `X-CSRF-Token` or a page made otherwise. */
    csrfField,
    /** Name and value of a redirect. */
    redirectField,
    /** The HTML of the CSRF token's hidden field. */
    csrfInput: async (options?: CsrfOptions): Promise<string> =>
      hiddenInput(await csrfField(options)),
    /** The HTML of a redirect's hidden field. */
    redirectInput: async (url: string): Promise<string> => hiddenInput(await redirectField(url)),

    /** What this page view has to tell the visitor, for `<FlashNotices notices={…} />`. */
    readNotices: async (): Promise<FlashNotice[]> => (await forms()).notices(),

    /** The site that the visitor is on; undefined in a store without sites. */
    readSite,
    /** Who is logged in, if anybody. */
    readVisitor,
    /** The visitor's cart, if there is one. */
    readCart,
    /** The cart that the browser is to show, for `<BrowserCart {...cart} />`. */
    readBrowserCart: async (): Promise<SessionCart> => {
      const browserCarts = (await parts())?.browserCarts
      return browserCarts ? sessionCart(browserCarts, await readHolder()) : {}
    },
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
      const { carts, restoreLinks: links } = (await parts()) ?? {}
      const pageUrl = pageUrlOf(new Headers(await headers()))
      return carts && links && formerCart({ carts, links }, await readHolder(), pageUrl)
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
