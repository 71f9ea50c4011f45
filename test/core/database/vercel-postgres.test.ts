import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import type { postgresAdapter } from '@payloadcms/db-postgres'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { hasPostgres, joinStore, openStore } from '../../support/store.js'
import { askAtOnce, deliveredTo } from './ask-at-once.js'

/** `.ci/other-versions` installs it, with the version of Payload to which it belongs. */
const adapterPackage = '@payloadcms/db-vercel-postgres'
const isInstalled = existsSync(`node_modules/${adapterPackage}`)

interface Adapter {
  vercelPostgresAdapter(
    this: void,
    setup: Parameters<typeof postgresAdapter>[0] & { forceUseVercelPostgres: boolean },
  ): ReturnType<typeof postgresAdapter>
}

interface Sockets {
  WebSocketServer: new (setup: { server: unknown }) => {
    on(event: 'connection', listener: (socket: unknown) => void): void
  }
  createWebSocketStream(this: void, socket: unknown): Duplex
}

/** One of its packages, or of those that these need. */
const load = (name: string): Promise<unknown> => import(name)

/** Neon's end of the driver's connections: each WebSocket is a connection to PostgreSQL. */
async function serveWebSockets(databaseUrl: string) {
  const { WebSocketServer, createWebSocketStream } = (await load('ws')) as Sockets
  const { hostname, port } = new URL(databaseUrl)
  const server = createServer()
  new WebSocketServer({ server }).on('connection', (socket) => {
    const stream = createWebSocketStream(socket)
    pipeline(stream, connect(Number(port), hostname), stream, () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

it.runIf(hasPostgres && isInstalled)(
  "A shop on Vercel's adapter and its driver of WebSockets, with two connections, exports, records and delivers, also after they were lost (needs @payloadcms/db-vercel-postgres)",
  async () => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const direct = await openStore('postgres')
    const sockets = await serveWebSockets(direct.url)
    const { neonConfig } = (await load('@neondatabase/serverless')) as { neonConfig: object }
    const { vercelPostgresAdapter } = (await load(adapterPackage)) as Adapter
    Object.assign(neonConfig, {
      wsProxy: () => sockets.address,
      useSecureWebSocket: false,
      pipelineConnect: false,
    })
    const store = await joinStore('postgres', direct.url, {
      config: {
        db: vercelPostgresAdapter({
          pool: { connectionString: direct.url, max: 2 },
          forceUseVercelPostgres: true,
          push: false,
        }),
      },
      options: {
        marketing: deliveredTo(klaviyo),
      },
    })
    onTestFinished(async () => {
      await store.close()
      await klaviyo.close()
      sockets.close()
      await direct.close()
    })

    const orders = await Promise.all(Array.from({ length: 8 }, () => saveOrder(store.payload)))
    await askAtOnce(store, orders)
    const countOf = (name: string) =>
      klaviyo.standIn.state.events.filter(({ metric }) => metric === name).length
    await expect
      .poll(() => [countOf('Liked'), countOf('Shipped Order')])
      .toEqual([orders.length, orders.length])

    await sqlDatabase(direct.payload).rows(sql`select pg_terminate_backend(pid)
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    await expect.poll(async () => (await store.handle(exportRequest())).status).toBe(200)
  },
)
