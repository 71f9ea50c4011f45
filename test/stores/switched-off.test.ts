import { getPayload, handleEndpoints, type BasePayload, type SanitizedConfig } from 'payload'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { abandonedCartUrl, handlerOf } from '../../src/index.js'
import { actionRoutes, storePages } from '../../src/next/index.js'
import { stopDelivery } from '../../src/node/index.js'
import { closeInstance } from '../support/close-instance.js'
import { anOrder, saveOrder } from '../support/orders.js'
import { storeDatabase, type OwnDatabase } from '../support/own-database.js'
import { serveStore } from '../support/served-store.js'
import { storeConfig } from '../support/store-config.js'

vi.mock('next/headers.js', () => ({
  headers: () => Promise.resolve(new Headers({ host: 'shop.example' })),
}))

describe('A store whose storeConnect() is switched off', () => {
  let database: OwnDatabase
  let config: SanitizedConfig
  let payload: BasePayload
  beforeAll(async () => {
    database = await storeDatabase('sqlite')
    config = await storeConfig({
      kind: 'sqlite',
      url: database.url,
      options: { enabled: false },
    })
    payload = await getPayload({ config })
  })
  afterAll(async () => {
    await closeInstance(payload)
    await database.remove()
  })

  it('answers 404 on the Next route, as a page and as JSON', async () => {
    const url = 'https://shop.example/actions/users/session-info'
    const { GET, POST } = actionRoutes(Promise.resolve(config))
    expect((await GET(new Request(url))).status).toBe(404)
    const headers = { accept: 'application/json' }
    const json = await POST(new Request(url, { method: 'POST', headers }))
    expect(json.status).toBe(404)
    expect(await json.json()).toEqual({ errors: [{ message: 'There is no such action.' }] })
  })

  it('answers 404 by handlerOf, whatever the framework, as a page and as JSON', async () => {
    const handle = handlerOf(payload)
    for (const path of ['users/session-info', 'shippingconnect/orders/process?action=export']) {
      const page = await handle(new Request(`https://shop.example/actions/${path}`))
      expect([page.status, page.headers.get('content-type')]).toEqual([
        404,
        expect.stringContaining('text/html'),
      ])
    }
    const headers = { accept: 'application/json' }
    const url = 'https://shop.example/actions/users/session-info'
    const json = await handle(new Request(url, { headers }), { address: '192.0.2.1' })
    expect([json.status, await json.json()]).toEqual([
      404,
      { errors: [{ message: 'There is no such action.' }] },
    ])
  })

  it('leaves every path to the page framework on node:http', async () => {
    const server = await serveStore({ payload })
    onTestFinished(server.close)
    for (const path of ['/actions/users/session-info', '/de/actions/users/login', '/'])
      expect((await fetch(server.url + path)).status).toBe(299)
  })

  it('shows nothing of itself on the pages, and their forms are harmless', async () => {
    const pages = storePages(config)
    expect(await pages.readBrowserCart()).toEqual({})
    expect(await pages.readNotices()).toEqual([])
    expect(await pages.readCart()).toBeUndefined()
    expect(await pages.readVisitor()).toBeUndefined()
    expect(await pages.readSite()).toBeUndefined()
    expect(await pages.readFormerCart()).toBeUndefined()
    expect(await pages.readReturnUrl()).toBeUndefined()
    expect(await pages.csrfInput()).toMatch(/^<input type="hidden"/)
  })

  it('says plainly that it is switched off to who asks for a link, and has no delivery to stop', async () => {
    expect(() => abandonedCartUrl({ payload, cart: { id: 1 } })).toThrow('switched off')
    await expect(stopDelivery(payload)).resolves.toBeUndefined()
  })

  it('delivers nothing when the scheduled task of the jobs runs, and the task does not fail', async () => {
    await payload.jobs.queue({
      task: 'storeconnect-deliver',
      input: {},
      queue: 'storeconnect',
    })
    const { jobStatus } = await payload.jobs.run({ queue: 'storeconnect' })
    expect(Object.values(jobStatus ?? {}).map(({ status }) => status)).toEqual(['success'])
  })

  it('begins no run of past orders, erases nobody, tests no key and sends nothing again', async () => {
    const admin = { email: 'admin@shop.example', password: 'correct horse', roles: ['admin'] }
    await payload.create({ collection: 'users', data: admin })
    const { token = '' } = await payload.login({ collection: 'users', data: admin })
    const headers = { authorization: `JWT ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      from: '2025-01-01',
      to: '2026-01-01',
      email: 'nobody@example.com',
    })
    for (const path of [
      'marketing-histories/start',
      'marketing-erasures/erase',
      'globals/marketing-settings/test-connection',
      'marketing-sends/1/resend',
    ]) {
      const url = `https://shop.example/api/${path}`
      const request = new Request(url, { method: 'POST', headers, body })
      expect((await handleEndpoints({ config, request })).status, path).toBe(500)
    }
    expect((await payload.count({ collection: 'marketing-histories' })).totalDocs).toBe(0)
  })

  it('saves orders', async () => {
    await expect(saveOrder(payload, anOrder())).resolves.toMatchObject({ status: 'processing' })
  })
})
