import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoPublicKey } from '../../dev/klaviyo/stand-in.ts'
import { partsOf } from '../support/parts.js'
import { actionsListener } from '../../src/mounts/node/index.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { createProduct } from '../support/products.js'
import { openStore, type TestStore } from '../support/store.js'
import { readSends, type StoredSend } from '../support/stored-sends.js'
import type { OnsitePageProps } from './onsite-page.js'

/**
 * A store on this machine with the page of a product, whose Content Security Policy is strict. `/static` is
 * the same page as it was built before anybody asked for it.
 */
export interface OnsiteStore extends TestStore {
  origin: string
  klaviyo: ServedStandIn
  tea: number
  /** What is stored to be sent, once nobody has touched the carts for two minutes. */
  sendsOfCarts(): Promise<StoredSend[]>
}

export async function serveOnsiteStore(): Promise<OnsiteStore> {
  const script = await bundlePage()
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // The feeds look ahead, and read again what they have read.
  const ahead = { ms: 0, steadyMs: 0 }
  const shop = await openStore('sqlite', {
    config: { serverURL: origin },
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
  const { payload } = shop
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

  const answerAction = actionsListener(payload)
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (await answerAction(incoming, outgoing)) return
    const url = new URL(incoming.url ?? '/', origin)
    const headers = new Headers({ cookie: incoming.headers.cookie ?? '' })
    const response =
      url.pathname === '/page.js'
        ? new Response(script, { headers: { 'content-type': 'text/javascript; charset=utf-8' } })
        : await page(new Request(url, { headers }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  }
  server.on('request', (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
  })

  return {
    ...shop,
    origin,
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
      server.closeAllConnections()
      server.close()
      await klaviyo.close()
      await shop.close()
    },
  }
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'onsite-page.tsx')],
    bundle: true,
    // The demo imports the package by its name.
    alias: {
      'payload-storeconnect/react': join(import.meta.dirname, '../../src/mounts/next/react.ts'),
    },
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    format: 'iife',
    jsx: 'automatic',
    logLevel: 'error',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
