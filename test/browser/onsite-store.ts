import { randomBytes } from 'node:crypto'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoPublicKey } from '../../dev/klaviyo/stand-in.ts'
import { partsOf } from '../support/parts.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { createProduct } from '../support/products.js'
import { openStore } from '../support/store.js'
import { readSends, type StoredSend } from '../support/stored-sends.js'
import type { OnsitePageProps } from './onsite-page.js'
import { servePage, type StoreWithPage } from './served-page.js'

/**
 * A store with the page of a product, whose Content Security Policy is strict. `/static` is
 * the same page as it was built before anybody asked for it.
 */
export interface OnsiteStore extends StoreWithPage {
  klaviyo: ServedStandIn
  tea: number
  /** What is stored to be sent, once nobody has touched the carts for two minutes. */
  sendsOfCarts(): Promise<StoredSend[]>
}

export async function serveOnsiteStore(): Promise<OnsiteStore> {
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  // The feeds look ahead, and read again what they have read.
  const ahead = { ms: 0, steadyMs: 0 }
  const open = (serverURL: string) =>
    openStore('sqlite', {
      config: { serverURL },
      effects: {
        now: () => new Date(Date.now() + ahead.ms),
        steadyMs: () => performance.now() + ahead.steadyMs,
      },
      options: {
        productFields: { slug: 'sku' },
        marketing: {
          scriptUrl: klaviyo.origin,
          settings: { publicApiKey: demoPublicKey, postsPerAddress: 0, postsPerNetwork: 0 },
        },
      },
    })
  const shop = await servePage({ script: 'onsite-page.tsx', open, pageOf: page })
  const { payload, origin } = shop
  const site = { name: 'Tea', handle: 'tea', baseUrl: origin, primary: true }
  await payload.create({ collection: 'sites', data: site })
  const tea = await createProduct(payload, { inventory: 1000, image: '/media/tea.png' })

  async function page(request: Request): Promise<Response> {
    const { forms, onsite, sessions } = partsOf(payload)
    const found = await onsite.script()
    const isStatic = new URL(request.url).pathname === '/static'
    const nonce = isStatic ? undefined : randomBytes(16).toString('base64')
    const props: OnsitePageProps = {
      script: found && { companyId: found.companyId, scriptUrl: found.url },
      nonce,
      viewed: await onsite.viewedProduct({ productId: tea, siteId: undefined }),
    }
    const session = await sessions.open(request)
    if (!isStatic) session.keep()
    const token = forms.csrf.issue(session.data.id)
    const cookie = isStatic ? undefined : await session.cookie()
    const scripts = nonce ? `'nonce-${nonce}'` : `'self' ${klaviyo.origin}`
    return new Response(
      `<!doctype html><html lang="en"><title>Green tea</title><link rel="icon" href="data:,">
<h1>Green tea</h1>
<form action="/actions/commerce/cart/update-cart" method="post">
<input name="CSRF_TOKEN" type="hidden" value="${token}">
<input name="productId" type="hidden" value="${tea}">
<input aria-label="Quantity" name="qty" value="2">
<button>Add to cart</button></form>
<div id="shop"></div>
<script type="application/json" id="props">${JSON.stringify(props).replaceAll('<', '\\u003c')}</script>
<script ${nonce ? `nonce="${nonce}"` : ''} src="/page.js"></script></html>`,
      {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': `default-src 'none'; script-src ${scripts}; connect-src 'self' ${klaviyo.origin}; img-src data:; form-action 'self'; base-uri 'none'`,
          ...(cookie !== undefined && { 'set-cookie': cookie }),
        },
      },
    )
  }

  return {
    ...shop,
    klaviyo,
    tea,
    async sendsOfCarts() {
      ahead.ms = 120_000
      ahead.steadyMs += 6 * 60_000
      await catchUpFeeds(payload)
      ahead.ms = 0
      return readSends(shop)
    },
    async close() {
      await klaviyo.close()
      await shop.close()
    },
  }
}
