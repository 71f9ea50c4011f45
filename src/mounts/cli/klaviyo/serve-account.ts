import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesWithin } from '../../../core/http/bytes-within.js'
import { sameText } from '../../../core/signing.js'
import { bodyBytesLimit } from '../../../marketing/klaviyo/limits.js'
import type { Account } from './account.js'
import { accountPage, accountPagePolicy } from './account-page.js'
import { answerCall, refusal, type Answer } from './answer-call.js'

/**
 * Serves an account on 127.0.0.1: Klaviyo's calls to whoever has the key, and a page that shows what has arrived.
 * Another website cannot reach it by a name of its own, as the `Host` must be this one.
 */
export async function serveAccount(account: Account, apiKey: string) {
  const server = createServer((incoming, outgoing) => {
    // The shop has gone in the middle of a call, or the call cannot be read: it tries again.
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { host = '', authorization = '' } = incoming.headers
    if (!hosts.has(host)) return send(outgoing, refusal(421, 'This is another host.'))
    const url = new URL(incoming.url ?? '/', `http://${host}`)
    if (url.pathname === '/' && incoming.method === 'GET') return showPage(outgoing, account)
    if (!url.pathname.startsWith('/api/')) return send(outgoing, refusal(404, 'There is no page.'))
    if (!sameText(authorization, `Klaviyo-API-Key ${apiKey}`)) {
      return send(outgoing, refusal(401, 'This is not the key of storeconnect try.'))
    }
    const bytes = await bytesWithin(incoming, bodyBytesLimit)
    if (bytes === undefined) return send(outgoing, refusal(413, 'The body is too large.'))
    const call = { method: incoming.method ?? '', url, body: jsonIn(bytes.toString()) }
    send(outgoing, answerCall(account, call))
  }

  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function showPage(outgoing: ServerResponse, account: Account): void {
  outgoing.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': accountPagePolicy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  outgoing.end(accountPage(account))
}

function send(outgoing: ServerResponse, { status, document }: Answer): void {
  outgoing.writeHead(status, {
    'content-type': 'application/vnd.api+json',
    'cache-control': 'no-store',
    // The rest of a body that is too large is not read.
    ...(status === 413 && { connection: 'close' }),
  })
  outgoing.end(document === undefined ? undefined : JSON.stringify(document))
}
