import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { captureLog } from '../../support/captured-log.js'
import { storeSettings } from '../../support/exported-orders.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import {
  authorization,
  basic,
  exportRequest,
  noticeRequest,
  shippingRequest,
} from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, databaseKinds } from '../../support/store.js'
import { testCredentials } from '../../support/store-config.js'

const base = 'https://shop.example/actions'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
const causeless = 'The shop could not answer. Its log says why.'

describe('errors of the shipping endpoint', () => {
  const log = captureLog()
  const store = sharedStore(anyKind, { config: log.config })
  beforeEach(() => log.clear())

  it.each([
    ['missing', {}],
    ['empty', { action: '' }],
    ['unknown', { action: 'exports' }],
    ['in another case', { action: 'Export' }],
    ['a name that every object has', { action: 'constructor' }],
  ])('400: the action is %s', async (_what, parameters: Record<string, string>) => {
    for (const method of ['GET', 'POST']) {
      const response = await store.handle(shippingRequest(parameters, { method }))
      expect(response.status).toBe(400)
      expect(await response.text()).toContain(
        'must be &quot;export&quot; or &quot;shipnotify&quot;',
      )
    }
  })

  it('are an HTML page by default, with a language, a title and the message', async () => {
    const response = await store.handle(shippingRequest({}))
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await response.text()
    expect(html).toMatch(/^<!doctype html>/i)
    expect(html).toContain('<html lang="en">')
    expect(html).toMatch(/<title>400: The parameter &quot;action&quot; .+<\/title>/)
  })

  it('escape what the request said', async () => {
    const response = await store.handle(shippingRequest({ '<script>alert("1")</script>\0': 'x' }))
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
  })

  it.each<[string, HeadersInit]>([
    ['Accept: application/json', { accept: 'application/json' }],
    ['X-Requested-With: XMLHttpRequest', { 'x-requested-with': 'XMLHttpRequest' }],
    [
      'X-Requested-With: XMLHttpRequest from a browser',
      { 'x-requested-with': 'XMLHttpRequest', accept: browser },
    ],
  ])("are exactly the CMS's JSON with %s", async (_what, headers) => {
    const response = await store.handle(shippingRequest({}, { headers }))
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      errors: [{ message: 'The parameter "action" must be "export" or "shipnotify".' }],
    })
  })

  it.each([
    ['401', () => new Request(`${base}/shippingconnect/orders/process`), 401],
    ['404', () => noticeRequest({ order_number: 'NO-SUCH' }), 404],
    ['405', () => shippingRequest({ action: 'shipnotify' }), 405],
    ['406', () => noticeRequest(), 406],
    [
      '413',
      () =>
        noticeRequest(
          {},
          {
            body: `order_number=${'x'.repeat(300 * 1024)}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          },
        ),
      413,
    ],
  ])('have the same two forms for %s', async (_what, make, status) => {
    const html = await store.handle(make())
    expect(html.status).toBe(status)
    expect(await html.text()).toMatch(new RegExp(`<title>${status}: .+</title>`))

    const request = make()
    request.headers.set('accept', 'application/json')
    const json = await store.handle(request)
    expect(json.status).toBe(status)
    expect(await json.json()).toEqual({ errors: [{ message: expect.any(String) as string }] })
  })

  it('have the reason in the log, with code, status and request id, never the credentials', async () => {
    const headers = { 'x-request-id': 'req-42', authorization: basic('ship', 'my wrong guess') }
    await store.handle(shippingRequest({}, { headers }), { address: '192.0.2.7' })
    expect(log.lines()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'Request refused',
        code: 'ACCESS_DENIED',
        status: 401,
        requestId: 'req-42',
      }),
    ])
    expect(log.text()).not.toContain('my wrong guess')
    expect(log.text()).not.toContain(headers.authorization.slice('Basic '.length))
  })

  it('404: an unknown action, before anybody is asked who they are', async () => {
    for (const path of [
      '/',
      '/shippingconnect',
      '/shippingconnect/orders',
      '/shippingconnect/orders/process/more',
      '/shippingconnect//orders/process',
      '/ShippingConnect/orders/process',
      '/constructor',
      '/__proto__',
      '/%73hippingconnect/orders/process',
    ]) {
      const response = await store.handle(new Request(`${base}${path}?action=export`))
      expect({ path, status: response.status }).toEqual({ path, status: 404 })
      expect(await response.text()).toContain('There is no such action.')
    }
  })

  it.each(['/', ''])('tolerate a slash at the end of the path: "%s"', async (end) => {
    const path = `${base}/shippingconnect/orders/process${end}?action=export`
    const response = await store.handle(new Request(path, { headers: { authorization } }))
    expect(response.status).toBe(200)
  })

  it.each([
    ['PUT', 'export', 'GET, HEAD, POST'],
    ['DELETE', 'export', 'GET, HEAD, POST'],
    ['PATCH', 'export', 'GET, HEAD, POST'],
    ['PUT', 'shipnotify', 'POST'],
    ['DELETE', 'shipnotify', 'POST'],
    ['GET', 'shipnotify', 'POST'],
    ['HEAD', 'shipnotify', 'POST'],
  ])('405 with Allow: %s %s', async (method, action, allow) => {
    const response = await store.handle(shippingRequest({ action }, { method }))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
  })

  it('405: GET shipnotify ships nothing', async () => {
    const { id, reference } = await saveOrder(store.payload)
    await store.handle(shippingRequest({ action: 'shipnotify', order_number: reference }))
    expect(await store.payload.findByID({ collection: 'orders', id })).toMatchObject({
      status: 'processing',
    })
  })

  it('HEAD has the status and headers of GET and no body', async () => {
    for (const make of [exportRequest, shippingRequest]) {
      const get = await store.handle(make({}, { headers: { 'x-request-id': 'same' } }))
      const head = await store.handle(
        make({}, { method: 'HEAD', headers: { 'x-request-id': 'same' } }),
      )
      expect(head.status).toBe(get.status)
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
      expect(await head.text()).toBe('')
      expect(await get.text()).not.toBe('')
    }
  })

  it('echo x-request-id, or make one where there is none fit to log', async () => {
    const idFor = async (headers: HeadersInit) =>
      (await store.handle(exportRequest({}, { headers }))).headers.get('x-request-id')
    expect(await idFor({ 'x-request-id': 'abc-1:2.3_x' })).toBe('abc-1:2.3_x')
    const made = await idFor({})
    expect(made).toMatch(/^[\da-f-]{36}$/)
    expect(await idFor({})).not.toBe(made)
    for (const unfit of ['<b>', 'a b', 'x'.repeat(101), 'a,b']) {
      expect(await idFor({ 'x-request-id': unfit })).toMatch(/^[\da-f-]{36}$/)
    }
  })

  it('are never kept by anything on the way, and never sniffed', async () => {
    for (const request of [exportRequest(), shippingRequest({}), noticeRequest()]) {
      const { headers } = await store.handle(request)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('500s of the settings', () => {
  const log = captureLog()
  const store = sharedStore(anyKind, { config: log.config })
  beforeEach(() => log.clear())

  it.each([
    {
      settings: { matrixField: '' },
      logged: { code: 'SETTING_BLANK', setting: 'matrixField', status: 500 },
    },
    {
      settings: { carrierField: ' ' },
      logged: { code: 'SETTING_BLANK', setting: 'carrierField', status: 500 },
    },
    // The log names the missing order status, where other lines have the HTTP status.
    {
      settings: { statusHandle: 'gone' },
      logged: { code: 'STATUS_NOT_FOUND', statusHandle: 'gone' },
    },
  ])(
    'say nothing of the cause to the caller, and all in the log: $settings',
    async ({ settings, logged }) => {
      const named = { matrixField: 'tracking', carrierField: 'carrier', statusHandle: 'shipped' }
      await storeSettings(store.payload, { ...testCredentials, ...named, ...settings })
      const { reference } = await saveOrder(store.payload)
      log.clear()
      const response = await store.handle(
        noticeRequest({ order_number: reference }, { headers: { accept: 'application/json' } }),
      )
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({ errors: [{ message: causeless }] })
      expect(log.lines()).toEqual([
        expect.objectContaining({
          level: 50,
          reference,
          requestId: response.headers.get('x-request-id'),
          ...logged,
        }),
      ])
    },
  )

  it('say nothing of an order that failed validation, whose reference is in the log', async () => {
    await storeSettings(store.payload, { ...testCredentials, failOnInvalidOrder: true })
    const { reference } = await saveOrder(store.payload, anOrder({ shippingAddress: {} }))
    const response = await store.handle(exportRequest())
    expect(response.status).toBe(500)
    const html = await response.text()
    expect(html).toContain(causeless)
    expect(html).not.toContain(reference)
    expect(log.lines().find(({ level }) => level === 50)).toMatchObject({
      code: 'ORDER_NOT_VALID',
      reference,
    })
  })
})

describe.each(databaseKinds)('500s of a database that fails (%s)', (kind) => {
  const log = captureLog()
  const store = sharedStore(kind, { config: log.config })
  beforeAll(async () => {
    const { drizzle } = store.payload.db as unknown as {
      drizzle: {
        run?(query: unknown): Promise<unknown>
        execute?(query: unknown): Promise<unknown>
      }
    }
    const rename = sql.raw('alter table orders rename to orders_gone')
    await (kind === 'sqlite' ? drizzle.run?.(rename) : drizzle.execute?.(rename))
  })
  beforeEach(() => log.clear())

  it.each([
    ['export', () => exportRequest({}, { headers: { 'x-request-id': 'req-500' } })],
    [
      'shipnotify',
      () =>
        noticeRequest(
          { order_number: 'AB12', tracking_number: '1Z999' },
          { headers: { 'x-request-id': 'req-500' } },
        ),
    ],
  ])('say nothing of the cause: %s', async (_action, make) => {
    const request = make()
    const html = await store.handle(request)
    expect(html.status).toBe(500)
    const page = await html.text()
    expect(page).toContain(causeless)
    expect(page).not.toMatch(/orders_gone|no such table|does not exist|select|sql|\bat \//i)

    const again = make()
    again.headers.set('accept', 'application/json')
    const json = await store.handle(again)
    expect(json.status).toBe(500)
    expect(await json.json()).toEqual({ errors: [{ message: causeless }] })
  })

  it('have one log line with code, request id and cause, never the credentials', async () => {
    const response = await store.handle(
      exportRequest({}, { headers: { 'x-request-id': 'req-501' } }),
    )
    expect(response.status).toBe(500)
    const errors = log.lines().filter(({ level }) => level === 50)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'UNEXPECTED', status: 500, requestId: 'req-501' })
    expect(JSON.stringify(errors[0]?.err)).toMatch(/no such table|does not exist/)
    expect(log.text()).not.toContain(testCredentials.password)
    expect(log.text()).not.toContain(authorization.slice('Basic '.length))
    expect(log.text().toLowerCase()).not.toContain('authorization')
  })
})
