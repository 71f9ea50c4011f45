import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { build } from 'esbuild'
import { actionsListener } from '../../src/mounts/node/index.js'
import { sendResponse } from '../../src/mounts/node/send-response.js'
import type { TestStore } from '../support/store.js'

/** A test store on this machine, with a page. */
export interface StoreWithPage extends TestStore {
  origin: string
}

interface Setup {
  /** The file in this folder that becomes `/page.js`. */
  script: string
  open: (origin: string) => Promise<TestStore>
  /** What is neither an action, nor Payload's API, nor the script. */
  pageOf: (request: Request, store: TestStore) => Promise<Response>
}

export async function servePage({ script, open, pageOf }: Setup): Promise<StoreWithPage> {
  const bundled = await bundle(script)
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = await open(origin)

  const answerAction = actionsListener(store.payload)
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (await answerAction(incoming, outgoing)) return
    const request = await toRequest(incoming, origin)
    const { pathname } = new URL(request.url)
    const response =
      pathname === '/page.js'
        ? new Response(bundled, { headers: { 'content-type': 'text/javascript; charset=utf-8' } })
        : await (pathname.startsWith('/api/') ? store.api(request) : pageOf(request, store))
    await sendResponse(response, outgoing)
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

async function bundle(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, script)],
    bundle: true,
    // The demo imports the package by its name.
    alias: {
      'payload-storeconnect/react': join(import.meta.dirname, '../../src/mounts/next/react.ts'),
    },
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

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const { method = 'GET', url = '/' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody && { body: await buffer(incoming) }
  return new Request(origin + url, { method, headers, ...body })
}
