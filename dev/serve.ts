import next from 'next'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Payload } from 'payload'
import { actionsListener, stopDelivery } from 'payload-storeconnect/node'
import { openStore } from './open-store.ts'
import { originOf, storeDirectory, type StoreEnvironment } from './environment.ts'

export interface ServedStore {
  origin: string
  payload: Payload
  close(): Promise<void>
}

const graceMilliseconds = 3000

/**
 * Serves the store, its admin and `/actions` on one port. The plugin answers first, since its own
 * handler is several times faster than a page framework; all else goes to Next.js, whose pages use
 * the Payload instance that is opened here.
 */
export async function serveStore({ host, port }: StoreEnvironment): Promise<ServedStore> {
  const payload = await openStore({ cron: true })
  // Next.js calls every address of this machine `localhost`, and would fetch what the proxy rewrites
  // from another server if it knew this one by another name.
  const app = next({ dev: false, dir: storeDirectory, hostname: 'localhost', port })
  await app.prepare()
  const page = app.getRequestHandler()
  const answer = actionsListener(payload)

  const server = http.createServer((request, response) => {
    answer(request, response)
      .then((answered) => (answered ? undefined : page(request, response)))
      .catch((error: unknown) => {
        payload.logger.error({ err: error, msg: 'A request could not be answered' })
        if (!response.headersSent) response.statusCode = 500
        response.end()
      })
  })
  // A client that uses a connection again while it is closed gets an error, so it is closed late.
  server.keepAliveTimeout = 65_000
  await listen(server, host, port)

  return {
    origin: originOf(host, (server.address() as AddressInfo).port),
    payload,
    async close() {
      await closeServer(server)
      await stopDelivery(payload)
      await app.close()
      await payload.destroy()
    },
  }
}

const listen = (server: http.Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })

/** Lets requests finish for a moment, then cuts what is left. */
const closeServer = (server: http.Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
