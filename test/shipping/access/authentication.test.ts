import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authorization, basic, exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, openStore } from '../../support/store.js'
import { testCredentials } from '../../support/store-config.js'

const url = 'https://shop.example/actions/shippingconnect/orders/process'
const challenge = 'Basic realm="Storeconnect", charset="UTF-8"'

const request = (headers: HeadersInit, query = '?action=export', init: RequestInit = {}) =>
  new Request(url + query, { ...init, headers })

// What failed in one test is forgotten in the next.
let minutes = 0
const now = () => new Date(Date.UTC(2026, 2, 10, 12, minutes))
beforeEach(() => void (minutes += 2))

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
const { username, password } = testCredentials

const store = sharedStore(anyKind, { effects: { now } })

describe('access to the shipping endpoint', () => {
  it('lets in who sends the username and password of the settings', async () => {
    const response = await store.handle(request({ authorization: basic(username, password) }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
  })

  it.each([
    ['a wrong username', basic('ship2', password)],
    ['a wrong password', basic(username, 'secret')],
    ['a password in another case', basic(username, password.toUpperCase())],
    ['a part of the password', basic(username, password.slice(0, -1))],
    ['more than the password', basic(username, `${password} `)],
    ['both wrong', basic('somebody', 'something')],
    ['username and password swapped', basic(password, username)],
    ['both empty', basic('', '')],
    ['an empty password', basic(username, '')],
    ['a pair without a colon', `Basic ${base64(username)}`],
    ['a pair that is not base64', `Basic ${username}:${password}`],
    [
      'another encoding than UTF-8',
      `Basic ${Buffer.from(`${username}:${password}`, 'latin1').toString('base64')}`,
    ],
    ['no scheme', base64(`${username}:${password}`)],
    ['an empty header', ''],
    ['the scheme alone', 'Basic'],
    ['Bearer', `Bearer ${base64(`${username}:${password}`)}`],
    ['Digest', `Digest username="${username}"`],
    ['no header at all', undefined],
  ])('answers 401 with WWW-Authenticate to %s', async (_what, value) => {
    const response = await store.handle(
      request(value === undefined ? {} : { authorization: value }),
    )
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(challenge)
    expect(await response.text()).not.toContain('<Orders')
  })

  it('does not take credentials from anywhere but the header', async () => {
    const query = `?action=export&username=${username}&password=${encodeURIComponent(password)}`
    expect((await store.handle(request({}, query))).status).toBe(401)
    const form = new URLSearchParams({ action: 'export', username, password })
    const posted = await store.handle(request({}, '', { method: 'POST', body: form }))
    expect(posted.status).toBe(401)
  })

  it('is anonymous to CMS users: a session and its cookie do not help, nor does an API login', async () => {
    const { payload, handle } = store
    const data = {
      email: 'admin@example.com',
      password: 'correct horse',
      roles: ['admin'],
    }
    await payload.create({ collection: 'users', data })
    const { token } = await payload.login({ collection: 'users', data })
    expect(token).toBeTypeOf('string')
    const cookie = `payload-token=${token}`
    expect((await handle(request({ cookie }))).status).toBe(401)
    expect((await handle(request({ authorization: `JWT ${token}` }))).status).toBe(401)
    expect(
      (await handle(request({ authorization: basic(data.email, data.password) }))).status,
    ).toBe(401)
  })

  it('does not validate CSRF: a POST from another origin without a token passes', async () => {
    const headers = {
      authorization,
      origin: 'https://ssapi.shipstation.example',
      referer: 'https://ssapi.shipstation.example/x',
      'sec-fetch-site': 'cross-site',
      cookie: 'payload-token=not-a-session',
    }
    const response = await store.handle(request(headers, '?action=shipnotify', { method: 'POST' }))
    // Past every check of who may call: the order's number is what is missing.
    expect(response.status).toBe(406)
  })

  it.each(['Basic', 'basic', 'BASIC'])('takes the scheme written %s', async (scheme) => {
    const headers = {
      authorization: `${scheme} ${base64(`${username}:${password}`)}`,
    }
    expect((await store.handle(request(headers))).status).toBe(200)
  })

  describe('checks credentials before the action, and the action before the method', () => {
    it.each([
      ['?action=export', 'GET'],
      ['', 'GET'],
      ['?action=nonsense', 'GET'],
      ['?action=shipnotify', 'GET'],
      ['?action=shipnotify', 'DELETE'],
      ['?action=shipnotify', 'POST'],
      ['', 'PUT'],
      ['?a%00=1', 'GET'],
    ])('401 for %s by %s with wrong credentials', async (query, method) => {
      const headers = { authorization: basic('x', 'y') }
      expect((await store.handle(request(headers, query, { method }))).status).toBe(401)
    })

    it('400 before 405 with the right ones', async () => {
      for (const [query, method, status] of [
        ['', 'DELETE', 400],
        ['?action=nonsense', 'PUT', 400],
        ['?action=', 'POST', 400],
        ['?action=export', 'DELETE', 405],
      ] as const) {
        const response = await store.handle(request({ authorization }, query, { method }))
        expect([query, method, response.status]).toEqual([query, method, status])
      }
    })

    it('401 for a body that is too large, with wrong credentials, and the body is not read', async () => {
      const tooLarge = request({ authorization: basic('x', 'y') }, '', {
        method: 'POST',
        body: 'x'.repeat(300 * 1024),
      })
      expect((await store.handle(tooLarge)).status).toBe(401)
      expect(tooLarge.bodyUsed).toBe(false)
    })

    it('401 while shipnotify of an order that exists or not is answered the same', async () => {
      const order = await store.payload.create({
        collection: 'orders',
        data: { status: 'processing', amount: 100, currency: 'USD', items: [] },
      })
      const { reference } = order as unknown as { reference: string }
      for (const number of [reference, 'NO-SUCH']) {
        const query = `?action=shipnotify&order_number=${number}`
        const response = await store.handle(request({}, query, { method: 'POST' }))
        expect(response.status).toBe(401)
      }
      const after = await store.payload.findByID({
        collection: 'orders',
        id: order.id,
      })
      expect(after).toMatchObject({ status: 'processing' })
    })
  })
})

describe('Username and Password of the settings', () => {
  afterEach(async () => {
    vi.unstubAllEnvs()
    await save({})
  })

  const save = (data: Record<string, unknown>) =>
    store.payload.updateGlobal({
      slug: 'shipping-settings',
      data: { ...testCredentials, ...data },
    })
  const status = async (user: string, secret: string) =>
    (await store.handle(request({ authorization: basic(user, secret) }))).status

  it.each([
    ['$NAME', '$TEST_SHIP_USER', '$TEST_SHIP_PASSWORD'],
    ['${NAME}', '${TEST_SHIP_USER}', '${TEST_SHIP_PASSWORD}'],
  ])('both resolve environment variables written %s', async (_form, user, secret) => {
    vi.stubEnv('TEST_SHIP_USER', 'from-environment')
    vi.stubEnv('TEST_SHIP_PASSWORD', 'pass:from $environment')
    await save({ username: user, password: secret })
    expect(await status('from-environment', 'pass:from $environment')).toBe(200)
    expect(await status(user, secret)).toBe(401)
    // It changes while the shop runs.
    vi.stubEnv('TEST_SHIP_PASSWORD', 'second')
    expect(await status('from-environment', 'pass:from $environment')).toBe(401)
    expect(await status('from-environment', 'second')).toBe(200)
  })

  it.each([
    ['with colons', 'a:b::c:'],
    ['with non-ASCII text', 'pässwörd–密碼–🔑'],
    ['with spaces at its ends', ' pass word '],
    ['that is long', 'x'.repeat(2000)],
  ])('may be a password %s', async (_what, secret) => {
    await save({ password: secret })
    expect(await status('ship', secret)).toBe(200)
    expect(await status('ship', `${secret}x`)).toBe(401)
  })

  const nobody = [
    ['', ''],
    ['x', ''],
    ['', 'x'],
    ['x', 'x'],
    ['undefined', 'undefined'],
    ['$TEST_NOT_SET', '$TEST_NOT_SET'],
    ['null', 'null'],
    [username, password],
  ] as const

  it.each([
    ['a blank username', { username: '' }],
    ['a username that was cleared', { username: null }],
    ['a blank password', { password: '' }],
    ['a password that was cleared', { password: null }],
    ['a variable that is not set', { username: '$TEST_NOT_SET', password: '$TEST_NOT_SET' }],
  ])('refuse everybody: %s', async (_what, settings) => {
    await save({})
    expect(await status(username, password)).toBe(200)
    await save(settings)
    for (const [user, secret] of nobody) expect(await status(user, secret)).toBe(401)
    expect((await store.handle(request({}))).status).toBe(401)
  })

  it('refuse everybody: nothing in code, as when a variable was undefined there', async () => {
    const settings = { username: undefined, password: undefined } as object
    const other = await openStore(anyKind, {
      options: { shipping: { settings } },
    })
    for (const [user, secret] of nobody) {
      const response = await other.handle(request({ authorization: basic(user, secret) }))
      expect(response.status).toBe(401)
    }
    await other.close()
  })
})

describe('failed logins', () => {
  const wrong = () => request({ authorization: basic('ship', 'guess') })
  const guess = async (times: number, address?: string) => {
    const statuses: number[] = []
    for (let count = 0; count < times; count += 1) {
      statuses.push((await store.handle(wrong(), { address })).status)
    }
    return statuses
  }

  it('are throttled per address: 429 with Retry-After after ten in a minute, while the right ones get in', async () => {
    // Logins that are right do not count.
    for (let count = 0; count < 15; count += 1) {
      await store.handle(exportRequest(), { address: '192.0.2.1' })
    }
    expect(await guess(10, '192.0.2.1')).toEqual(Array(10).fill(401))
    const response = await store.handle(wrong(), { address: '192.0.2.1' })
    expect(response.status).toBe(429)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect((await store.handle(exportRequest(), { address: '192.0.2.1' })).status).toBe(200)
    expect(await guess(1, '192.0.2.2')).toEqual([401])
  })

  // Of a client that waits for the challenge each time, as `curl --anyauth` does.
  it('count no request without credentials: it is always 401 with WWW-Authenticate', async () => {
    for (let count = 0; count < 40; count += 1) {
      const headers = count % 2 === 0 ? {} : { authorization: '' }
      const response = await store.handle(request(headers), {
        address: '192.0.2.1',
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(challenge)
      const again = await store.handle(exportRequest(), { address: '192.0.2.1' })
      expect(again.status).toBe(200)
    }
    expect(await guess(11, '192.0.2.1')).toEqual([...Array<number>(10).fill(401), 429])
    expect((await store.handle(request({}), { address: '192.0.2.1' })).status).toBe(401)
  })

  it('are throttled together where the mount knows no address, and from thirty addresses', async () => {
    expect(await guess(15)).toEqual(Array(15).fill(401))
    for (let host = 1; host <= 15; host += 1) {
      expect(await guess(1, `192.0.2.${host}`)).toEqual([401])
    }
    expect(await guess(2)).toEqual([429, 429])
    expect(await guess(1, '198.51.100.1')).toEqual([429])
    expect((await store.handle(exportRequest())).status).toBe(200)
  })
})
