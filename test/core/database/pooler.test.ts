import { existsSync } from 'node:fs'
import { postgresAdapter } from '@payloadcms/db-postgres'
import { expect, inject, it, onTestFinished } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { captureLog } from '../../support/captured-log.js'
import { saveOrder } from '../../support/orders.js'
import { poolerCommand, startPooler } from '../../support/pooler.js'
import { hasPostgres, joinStore, openStore } from '../../support/store.js'
import { askAtOnce, deliveredTo } from './ask-at-once.js'

it.runIf(hasPostgres && existsSync(poolerCommand))(
  "A shop behind a pooler of transactions, with two connections, exports, records, delivers, and says that no notification comes through (needs Debian's pgbouncer)",
  async () => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const direct = await openStore('postgres')
    const pooler = await startPooler(inject('postgres').serverUrl)
    const connectionString = pooler.serverUrl + new URL(direct.url).pathname
    const log = captureLog()
    const store = await joinStore('postgres', direct.url, {
      config: {
        ...log.config,
        db: postgresAdapter({ pool: { connectionString, max: 2 }, push: false }),
      },
      options: {
        marketing: deliveredTo(klaviyo),
      },
    })
    onTestFinished(async () => {
      await store.close()
      await pooler.stop()
      await direct.close()
      await klaviyo.close()
    })

    const orders = await Promise.all(Array.from({ length: 8 }, () => saveOrder(store.payload)))
    await askAtOnce(store, orders)
    const liked = () => klaviyo.standIn.state.events.filter(({ metric }) => metric === 'Liked')
    await expect.poll(() => liked().length).toBe(orders.length)
    await expect.poll(() => log.text()).toContain('No notification comes through to the delivery')

    // What another process stores is found all the same.
    await direct.aBrowser().track({ email: 'ada@example.com', 'event[name]': 'Liked' })
    await expect.poll(() => liked().length).toBe(orders.length + 1)
  },
)
