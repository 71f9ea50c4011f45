import { describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import { defineAction } from '../../../src/core/http/define-action.js'
import { shopOrigin } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const path = '/actions/users/session-info'
const ada = { email: 'ada@example.com', password: 'difference engine' }

describe('GET /actions/users/session-info', () => {
  const order = defineAction('shop/order', ({ session, json }) => {
    session.change({ returnUrl: '/orders/7' })
    return json('on their way')
  })

  const door = simulatedStore(anyKind, { options: { actions: [order] } })
  const aBrowser = () => door.aBrowser()

  it('gives a guest a token of their own session, which it keeps, and nothing else', async () => {
    const browser = aBrowser()
    const response = await browser.send(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      isGuest: true,
      csrfTokenName: 'CSRF_TOKEN',
      csrfTokenValue: expect.any(String) as string,
    })
    expect(response.headers.getSetCookie()).toHaveLength(1)
    const before = new Map(browser.cookies)
    expect((await browser.send(path)).headers.getSetCookie()).toEqual([])
    expect(browser.cookies).toEqual(before)
  })

  it('says to a logged-in user who they are, and nothing else of their account', async () => {
    const { id } = await door.payload.create({ collection: 'users', data: ada })
    const browser = aBrowser()
    await browser.post('users/login', ada)
    expect(await browser.sessionInfo()).toEqual({
      isGuest: false,
      csrfTokenName: 'CSRF_TOKEN',
      csrfTokenValue: expect.any(String) as string,
      id,
      email: 'ada@example.com',
    })
    expect(await aBrowser().sessionInfo()).toMatchObject({ isGuest: true })
  })

  it('says where the visitor goes after login, also as a redirect that a form may post', async () => {
    const browser = aBrowser()
    const before = await browser.sessionInfo()
    expect(before).not.toHaveProperty('returnUrl')
    expect(before).not.toHaveProperty('redirect')
    await browser.post('shop/order')
    const { redirect, returnUrl } = await browser.sessionInfo()
    expect(returnUrl).toBe('/orders/7')
    const raw = await browser.post('users/logout', { redirect: String(returnUrl) })
    expect([raw.status, raw.headers.get('x-error-code')]).toEqual([400, 'REDIRECT_INVALID'])
    const answer = await browser.post('users/logout', { redirect: String(redirect) })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/orders/7'])
  })

  it('is kept by nobody, and cannot be read by a page of another origin', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await door.handle(new Request(shopOrigin + path, { headers }))
    expect(response.headers.get('cache-control')).toBe('no-store')
    const names = [...response.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    const browser = aBrowser()
    const head = await browser.send(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await browser.send(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('gives a token with the guard that a form asks for', async () => {
    const { forms } = partsOf(door.payload)
    const browser = aBrowser()
    const guardOf = async (query: string) => {
      const token = await browser.token(query)
      return forms.csrf.verify(token, (await browser.session()).id)
    }
    const issuedAt = new Date(door.now())
    expect(await guardOf('?guard=5')).toEqual({ issuedAt, guard: { minimumSeconds: 5 } })
    expect(await guardOf('')).toEqual({ issuedAt, guard: undefined })
  })

  it.each(['-1', 'x', '3601', '1.5', '', '1e3', '99999999999'])(
    'refuses a guard of "%s" seconds',
    async (guard) => {
      const response = await aBrowser().send(`${path}?guard=${guard}`)
      expect(response.status).toBe(400)
    },
  )
})
