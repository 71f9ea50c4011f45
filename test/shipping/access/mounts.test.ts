import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsListener } from '../../../src/mounts/node/index.js'
import { mounts, type Mount } from '../../support/mounts.js'
import { saveOrder } from '../../support/orders.js'
import { serveStore, statusIn, type ServedStore } from '../../support/served-store.js'
import { authorization, basic } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'

const path = '/actions/shippingconnect/orders/process'

// Failed logins of one test must not count against the next one. No request sends this header, so no
// client IP is known.
const trustProxy = { header: 'x-client-address' }

const store = sharedStore('sqlite', { options: { trustProxy } })

describe.each(Object.entries(mounts))('the shipping endpoint behind %s', (_, open) => {
  let mount: Mount
  beforeAll(async () => {
    mount = await open(store)
  })
  afterAll(() => mount.close())

  const send: Mount['send'] = (target, init = {}) =>
    mount.send(target, { ...init, headers: { authorization, ...init.headers } })

  it('exports, and answers HEAD and wrong methods', async () => {
    const { reference } = await saveOrder(store.payload)
    const response = await send(`${path}?action=export`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(await response.text()).toContain(`<OrderNumber>${reference}</OrderNumber>`)
    const head = await send(`${path}?action=export`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await send(`${path}?action=shipnotify`, { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it.each(['urlencoded', 'multipart', 'JSON', 'XML'])(
    'ships by a body that is %s',
    async (form) => {
      const { id, reference } = await saveOrder(store.payload)
      const fields = { order_number: reference, carrier: 'DHL', tracking_number: 'JD014ü' }
      const multipart = new FormData()
      for (const [field, value] of Object.entries(fields)) multipart.append(field, value)
      const bodies: Record<string, RequestInit> = {
        urlencoded: { body: new URLSearchParams(fields) },
        multipart: { body: multipart },
        JSON: { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } },
        XML: {
          body: `<ShipNotice><OrderNumber>${reference}</OrderNumber><Carrier>DHL</Carrier><TrackingNumber>JD014ü</TrackingNumber></ShipNotice>`,
          headers: { 'content-type': 'text/xml' },
        },
      }
      const response = await send(`${path}?action=shipnotify`, { method: 'POST', ...bodies[form] })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ success: true })
      expect(await store.payload.findByID({ collection: 'orders', id })).toMatchObject({
        status: 'shipped',
        tracking: [{ carrier: 'DHL', trackingNumber: 'JD014ü' }],
      })
    },
  )

  it('answers 413 to a body over 256 KiB, announced or in chunks', async () => {
    const announced = await send(`${path}?action=shipnotify`, {
      method: 'POST',
      body: new URLSearchParams({ order_number: 'x'.repeat(300 * 1024) }),
    })
    expect(announced.status).toBe(413)
    const chunk = new TextEncoder().encode('x'.repeat(50_000))
    let chunks = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunks < 20) controller.enqueue(chunk)
        else controller.close()
        chunks += 1
      },
    })
    const response = await send(`${path}?action=shipnotify`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await response.text()).toContain('256 KiB')
  })
})

describe('actionsListener', () => {
  let server: ServedStore
  beforeAll(async () => {
    server = await serveStore(store)
  })
  afterAll(() => server.close())

  it('copes with headers that come twice', async () => {
    const answer = await server.write(
      `GET ${path} HTTP/1.1`,
      'Host: shop.example',
      `Authorization: ${authorization}`,
      'Accept: text/plain',
      'Accept: application/json',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-For: 192.0.2.2',
    )
    expect(statusIn(answer)).toBe(400)
    expect(answer).toContain('{"errors":[{"message":')
  })

  it('refuses two Authorization headers rather than choosing one', async () => {
    const answer = await server.write(
      `GET ${path}?action=export HTTP/1.1`,
      'Host: shop.example',
      `Authorization: ${authorization}`,
      `Authorization: ${basic('x', 'y')}`,
    )
    expect(statusIn(answer)).toBe(401)
  })

  it('keeps the connection of a body that it did not read', async () => {
    const responses: number[] = []
    const agentless = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = httpRequest(
          server.url + path,
          { method: 'POST', headers: { authorization: basic('x', 'y') } },
          resolve,
        )
        outgoing.on('error', reject)
        outgoing.end('x'.repeat(100_000))
      })
    for (let count = 0; count < 2; count += 1) {
      const response = await agentless()
      response.resume()
      responses.push(response.statusCode ?? 0)
      await once(response, 'end')
    }
    expect(responses).toEqual([401, 401])
  })
})

describe('a mount of a store without Storeconnect', () => {
  it('fails with a TypeError that says what to add', () => {
    const payload = { config: { custom: {} } } as unknown as BasePayload
    expect(() => actionsListener(payload)).toThrow(TypeError)
    expect(() => actionsListener(payload)).toThrow('Add storeConnect() to the plugins')
  })
})
