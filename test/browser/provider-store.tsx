import { cartHolder } from '../../src/carts/find-cart.js'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { renderToString } from 'react-dom/server'
import { partsOf } from '../support/parts.js'
import { sessionCart } from '../../src/carts/accounts/session-info-action.js'
import { actionsListener } from '../../src/mounts/node/index.js'
import { openStore, type TestStore } from '../support/store.js'
import { Shop } from './provider-shop.js'

/** A test store on this machine, with a page that has the extension's provider in it. */
export interface ProviderStore extends TestStore {
  origin: string
}

export async function serveProviderStore(): Promise<ProviderStore> {
  const script = await bundlePage()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = await openStore('sqlite', {
    userCart: true,
    config: { serverURL: origin },
  })

  const answerAction = actionsListener(store.payload)
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (await answerAction(incoming, outgoing)) return
    const request = await toRequest(incoming, origin)
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/')) return send(await store.api(request), outgoing)
    if (pathname === '/page.js') return send(new Response(script, { headers: scripts }), outgoing)
    if (pathname !== '/') return send(new Response(null, { status: 404 }), outgoing)
    return send(await storePage(store, request), outgoing)
  }
  server.on('request', (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
  })

  return {
    ...store,
    origin,
    async close() {
      server.closeAllConnections()
      server.close()
      await store.close()
    },
  }
}

/** The page as the server renders it. With `?plain`, as in a store that leaves `BrowserCart` out. */
async function storePage({ payload }: TestStore, request: Request): Promise<Response> {
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

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'provider-page.tsx')],
    bundle: true,
    // As Next.js does: the extension asks the environment for a base path.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    format: 'iife',
    jsx: 'automatic',
    logLevel: 'error',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const scripts = { 'content-type': 'text/javascript; charset=utf-8' }

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const { method = 'GET', url = '/' } = incoming
  if (method === 'GET' || method === 'HEAD') return new Request(origin + url, { method, headers })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return new Request(origin + url, { method, headers, body: Buffer.concat(chunks) })
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie()
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()))
}
