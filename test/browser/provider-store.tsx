import { renderToString } from 'react-dom/server'
import { sessionCart } from '../../src/carts/accounts/session-info-action.js'
import { cartHolder } from '../../src/carts/find-cart.js'
import { partsOf } from '../support/parts.js'
import { openStore, type TestStore } from '../support/store.js'
import { Shop } from './provider-shop.js'
import { servePage } from './served-page.js'

/** A store with a page that has the extension's provider in it. */
export const serveProviderStore = () =>
  servePage({
    script: 'provider-page.tsx',
    open: (origin) => openStore('sqlite', { userCart: true, config: { serverURL: origin } }),
    pageOf: storePage,
  })

/** The page as the server renders it. With `?plain`, as in a store that leaves `BrowserCart` out. */
async function storePage(request: Request, { payload }: TestStore): Promise<Response> {
  if (new URL(request.url).pathname !== '/') return new Response(null, { status: 404 })
  const { carts, sessions, sites, ...parts } = partsOf(payload)
  const holder = cartHolder((await sessions.open(request)).data, {
    visitor: await parts.visitorOf(request),
    site: await sites.at(request.url),
  })
  const isPlain = new URL(request.url).searchParams.has('plain')
  const shown = carts && !isPlain ? await sessionCart(carts, holder) : {}
  const json = JSON.stringify(shown).replaceAll('<', '\\u003c')
  return new Response(
    `<!doctype html><title>Shop</title>
<div id="shop">${renderToString(<Shop shown={shown} />)}</div>
<script type="application/json" id="shown">${json}</script>
<script src="/page.js"></script>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } },
  )
}
