import { getPayload, handleEndpoints, type BasePayload, type SanitizedConfig } from 'payload'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { abandonedCartUrl, handlerOf } from '../../src/index.js'
import { actionRoutes, storePages } from '../../src/mounts/next/index.js'
import { stopDelivery } from '../../src/mounts/node/index.js'
import { closeInstance } from '../support/close-instance.js'
import { saveOrder } from '../support/orders.js'
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

  it('answers 404 on the Next route and by handlerOf, as a page and as JSON', async () => {
    const { GET } = actionRoutes(Promise.resolve(config))
    for (const answer of [GET, handlerOf(payload)]) {
      for (const path of ['users/session-info', 'shippingconnect/orders/process?action=export']) {
        const url = `https://shop.example/actions/${path}`
        const page = await answer(new Request(url))
        expect([page.status, page.headers.get('content-type')]).toEqual([
          404,
          expect.stringContaining('text/html'),
        ])
        const json = await answer(new Request(url, { headers: { accept: 'application/json' } }))
        expect([json.status, await json.json()]).toEqual([
          404,
          { errors: [{ message: 'There is no such action.' }] },
        ])
      }
    }
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

  it('saves orders, and delivers nothing when the scheduled task of the jobs runs, which does not fail', async () => {
    await expect(saveOrder(payload)).resolves.toMatchObject({ status: 'processing' })
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
})
