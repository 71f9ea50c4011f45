import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as oneTurn } from 'node:timers/promises'

import { bytesWithin } from '../../src/core/http/bytes-within.js'
import { originOf } from '../environment.ts'
import { ConnectionLost } from './faults.ts'
import { isForPages } from './onsite/client-api.ts'
import { control } from './page/control.ts'
import { pageAnswer } from './page/page-answer.ts'
import { createKlaviyoStandIn, type KlaviyoStandIn, type StandInOptions } from './stand-in.ts'

export interface ServedStandIn {
  origin: string
  standIn: KlaviyoStandIn
  close: () => Promise<void>
}

interface ServeOptions extends StandInOptions {
  host?: string
  /** 0: any that is free. */
  port: number
}

/** The stand-in on real sockets: its API below `/api`, its page at `/`. */
export async function serveKlaviyoStandIn({
  host = '127.0.0.1',
  port,
  ...options
}: ServeOptions): Promise<ServedStandIn> {
  const standIn = createKlaviyoStandIn(options)
  const server = http.createServer((incoming, outgoing) => {
    void serve(standIn, incoming, outgoing)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    origin: originOf(host, (server.address() as AddressInfo).port),
    standIn,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** An answer that cannot be finished ends with its connection, as the caller would see it. */
async function serve(
  standIn: KlaviyoStandIn,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> {
  try {
    const request = await readRequest(incoming, outgoing)
    if (!request) {
      outgoing.writeHead(413, { connection: 'close' }).end()
      return
    }
    if (await hasHungUp(incoming)) return
    await write(await answer(standIn, request), outgoing)
  } catch (error) {
    if (!(error instanceof ConnectionLost) && !outgoing.destroyed) console.error(error)
    incoming.socket.destroy()
  }
}

/** A caller that gave up while its call waited here: a call served late would undo what came after it. */
async function hasHungUp({ socket }: http.IncomingMessage): Promise<boolean> {
  // The end of a connection is read a turn after what came before it.
  await oneTurn()
  await oneTurn()
  return socket.readableEnded || socket.destroyed
}

function answer(standIn: KlaviyoStandIn, request: Request): Promise<Response> | Response {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/api/')) return standIn.handle(request)
  if (isForPages(pathname)) return standIn.onPages(request)
  return request.method === 'POST' ? control(standIn, request) : pageAnswer(standIn, request)
}

const MAX_READ_BYTES = 16 * 1024 * 1024

/** `undefined` for a body that nobody would want to keep. */
async function readRequest(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<Request | undefined> {
  const body = await bytesWithin(incoming, MAX_READ_BYTES)
  if (body === undefined) return undefined
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const { method = 'GET', url = '/', headers } = incoming
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: fields,
    signal: gone.signal,
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  })
}

async function write(response: Response, outgoing: http.ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      // What breaks off has to arrive as far as it goes.
      await new Promise<void>((resolve) => outgoing.write(chunk, () => resolve()))
    }
  }
  outgoing.end()
}
