import { beforeEach, describe, expect, it } from 'vitest'
import { csrfHeader } from '../../../src/core/http/csrf.js'
import { bodyLimitBytes } from '../../../src/core/http/request-body.js'
import { defineAction } from '../../../src/core/http/define-action.js'
import { shopOrigin, signed } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const path = '/actions/shop/form'

/** The parameters of each post that came through. */
const done: unknown[] = []
const form = defineAction('shop/form', ({ parameters, reply }) => {
  done.push(parameters)
  return reply('success')
})
const door = simulatedStore(anyKind, {
  options: { actions: [form] },
  config: { serverURL: 'https://www.shop.example' },
})
const aBrowser = () => door.aBrowser()
beforeEach(() => void done.splice(0))

describe('CSRF', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'a non-POST is 405: %s',
    async (method) => {
      const response = await aBrowser().send(path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
      expect(done).toEqual([])
    },
  )

  it('takes the token as the parameter CSRF_TOKEN, in the body or the query string', async () => {
    const browser = aBrowser()
    expect((await browser.post('shop/form')).status).toBe(303)
    const token = encodeURIComponent(await browser.token())
    const response = await browser.send(`${path}?CSRF_TOKEN=${token}`, { method: 'POST' })
    expect(response.status).toBe(303)
    expect(done).toHaveLength(2)
  })

  it('takes the token as the header X-CSRF-Token, before the parameter', async () => {
    const browser = aBrowser()
    const headers = { [csrfHeader]: await browser.token() }
    const status = async (options: object) => (await browser.post('shop/form', {}, options)).status
    expect(await status({ token: null, headers })).toBe(303)
    expect(await status({ token: 'old', headers })).toBe(303)
    expect(await status({ headers: { [csrfHeader]: 'wrong' } })).toBe(400)
    expect(done).toHaveLength(2)
  })

  it.each([
    ['missing', {}],
    ['blank', { CSRF_TOKEN: '' }],
    ['wrong', { CSRF_TOKEN: 'wrong' }],
    ['a list', { 'CSRF_TOKEN[]': 'x' }],
    ['an object', { 'CSRF_TOKEN[a]': 'x' }],
  ])('a token that is %s is 400, and nothing is done', async (_what, fields) => {
    const browser = aBrowser()
    await browser.token()
    const response = await browser.post('shop/form', fields, { token: null })
    expect(response.status).toBe(400)
    expect(response.headers.get('x-error-code')).toBe('CSRF_INVALID')
    expect(done).toEqual([])
    expect(door.log.lines().map(({ code }) => code)).toEqual(['CSRF_INVALID'])
  })

  it("is tied to the visitor's session: somebody else's token, or none of the cookie, is 400", async () => {
    const [visitor, attacker] = [aBrowser(), aBrowser()]
    await visitor.token()
    const stolen = await visitor.post('shop/form', {}, { token: await attacker.token() })
    expect(stolen.status).toBe(400)
    const bare = await aBrowser().post('shop/form', {}, { token: await attacker.token() })
    expect(bare.status).toBe(400)
    // A refused visitor gets no session from a refusal.
    expect(bare.headers.getSetCookie()).toEqual([])
    expect(done).toEqual([])
  })

  it('a token can be used again, in a page that is open for long', async () => {
    const browser = aBrowser()
    const token = await browser.token()
    for (let use = 0; use < 3; use += 1) {
      expect((await browser.post('shop/form', {}, { token })).status).toBe(303)
      door.move(7 * 24 * 60 * 60 * 1000)
    }
  })

  it('a token ends when the session gets a new id', async () => {
    const user = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
    await door.payload.create({ collection: 'users', data: user })
    const browser = aBrowser()
    const token = await browser.token()
    expect((await browser.post('users/login', user, { token })).status).toBe(303)
    expect((await browser.post('shop/form', {}, { token })).status).toBe(400)
    expect((await browser.post('shop/form')).status).toBe(303)
  })

  it.each([
    [400, { 'sec-fetch-site': 'cross-site' }],
    [400, { origin: 'https://evil.example' }],
    [400, { origin: 'null' }],
    [400, { origin: 'https://blog.shop.example', 'sec-fetch-site': 'same-site' }],
    [303, { origin: shopOrigin, 'sec-fetch-site': 'same-origin' }],
  ])('a post with a good token is %i from a page that says %o', async (status, headers) => {
    const response = await aBrowser().post('shop/form', {}, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('x-error-code')).toBe(status === 400 ? 'ORIGIN_FOREIGN' : null)
    expect(done).toHaveLength(status === 400 ? 0 : 1)
  })
})

it('a body beyond the limit is 413, parameters that cannot be read are 400, and nothing is done', async () => {
  const tooLong = { text: 'x'.repeat(bodyLimitBytes) }
  expect((await aBrowser().post('shop/form', tooLong)).status).toBe(413)
  expect((await aBrowser().post('shop/form', { 'a[b][c][d][e][f][g]': '1' })).status).toBe(400)
  expect(done).toEqual([])
})

describe('redirect', () => {
  it('is the URL behind an HMAC; the visitor is sent there with 303', async () => {
    for (const target of ['/thanks?a=1', 'https://other.example/landing']) {
      const response = await aBrowser().post('shop/form', { redirect: signed(door, target) })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(target)
      expect(await response.text()).toBe('')
    }
    expect(done).toHaveLength(2)
  })

  it.each<[string, (signed: string) => Record<string, string>]>([
    ['is a plain URL', () => ({ redirect: 'https://evil.example/' })],
    ['is a plain path', () => ({ redirect: '/thanks' })],
    ['is blank', () => ({ redirect: '' })],
    ['is signed for elsewhere', (signed) => ({ redirect: `${signed}b` })],
    ['is a list', (signed) => ({ 'redirect[]': signed })],
    ['is an object', (signed) => ({ 'redirect[a]': signed })],
  ])('a bad one is 400, and nothing is done: it %s', async (_what, fieldsOf) => {
    const fields = fieldsOf(signed(door, '/a'))
    for (const ajax of [false, true]) {
      const response = await aBrowser().post('shop/form', fields, { ajax })
      expect(response.status).toBe(400)
      expect(response.headers.get('x-error-code')).toBe('REDIRECT_INVALID')
      expect(response.headers.get('location')).toBeNull()
    }
    expect(done).toEqual([])
  })

  it.each([
    [`${shopOrigin}/newsletter?from=footer#form`, `${shopOrigin}/newsletter?from=footer`],
    ['https://www.shop.example/a', 'https://www.shop.example/a'],
    // A path that would be another host if it stood alone.
    [`${shopOrigin}//evil.example/x`, `${shopOrigin}//evil.example/x`],
    ['', `${shopOrigin}/`],
    ['no url', `${shopOrigin}/`],
    ['https://evil.example/page', `${shopOrigin}/`],
    ['https://shop.example.evil.example/', `${shopOrigin}/`],
    ['http://shop.example/insecure', `${shopOrigin}/`],
    // These have the shop's origin, or say so.
    [`blob:${shopOrigin}/6f9b1a8e-2f4f-4c9f-9d5e-0d8f3a1b2c3d`, `${shopOrigin}/`],
    [`filesystem:${shopOrigin}/temporary/form.html`, `${shopOrigin}/`],
    ['data:text/html,form', `${shopOrigin}/`],
    ['javascript:void 0', `${shopOrigin}/`],
  ])('without one the visitor goes from %s to %s', async (referer, expected) => {
    const response = await aBrowser().post('shop/form', {}, { headers: { referer } })
    expect(response.status).toBe(303)
    const location = response.headers.get('location') ?? ''
    expect(new URL(location, `${shopOrigin}${path}`).href).toBe(expected)
  })

  it.each([
    ['/actions/shop/form', '/'],
    ['/en/actions/shop/form', '/en/'],
    ['/api/actions/shop/form', '/'],
    ['/en/api/actions/shop/form', '/en/'],
    ['//evil.example/actions/shop/form', '/evil.example/'],
  ])('the base URL of %s is %s', async (target, expected) => {
    const browser = aBrowser()
    const token = await browser.token()
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await door.handle(
      new Request(`${shopOrigin}${target}?CSRF_TOKEN=${token}`, {
        method: 'POST',
        headers: { cookie },
      }),
    )
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(expected)
  })
})

it.each([{ 'x-requested-with': 'XMLHttpRequest' }, { accept: 'application/json' }])(
  'Ajax is answered with JSON, whatever the redirect: %o',
  async (headers) => {
    const fields = { redirect: signed(door, '/thanks') }
    const response = await aBrowser().post('shop/form', fields, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('"success"')
  },
)
