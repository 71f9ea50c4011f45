import { describe, expect, it } from 'vitest'
import { formAction, formReply } from '../../src/http/form-action.js'
import type { Action } from '../../src/http/visit.js'
import { formParts, openDoor, shop } from '../support/open-door.js'

const path = '/actions/users/session-info'

describe('GET /actions/users/session-info', () => {
  it('gives a guest a token of their own session, and nothing else', async () => {
    const { aBrowser } = openDoor()
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
  })

  it('keeps the session that is there', async () => {
    const browser = openDoor().aBrowser()
    await browser.send(path)
    const before = new Map(browser.cookies)
    const response = await browser.send(path)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(browser.cookies).toEqual(before)
  })

  it('says to a logged-in user who they are, and nothing else of their account', async () => {
    const { aBrowser } = openDoor({
      visitorOf: ({ headers }) =>
        Promise.resolve(
          headers.get('cookie')?.includes('payload-token=ada')
            ? {
                id: 7,
                collection: 'users',
                profile: () => Promise.resolve({ email: 'ada@example.com' }),
                document: { id: 7, email: 'ada@example.com', hash: 'secret', phone: '+1' },
              }
            : undefined,
        ),
    })
    const browser = aBrowser()
    browser.cookies.set('payload-token', 'ada')
    expect(await browser.sessionInfo()).toEqual({
      isGuest: false,
      csrfTokenName: 'CSRF_TOKEN',
      csrfTokenValue: expect.any(String) as string,
      id: 7,
      email: 'ada@example.com',
    })
    expect(await aBrowser().sessionInfo()).toMatchObject({ isGuest: true })
  })

  it('says where the visitor goes after login, when they are on their way somewhere', async () => {
    const onTheirWay: Action = async (visit) => {
      const session = await visit.session()
      session.change({ returnUrl: '/orders/7' })
      return new Response()
    }
    const browser = openDoor({ actions: { 'shop/order': onTheirWay } }).aBrowser()
    expect(await browser.sessionInfo()).not.toHaveProperty('returnUrl')
    await browser.send('/actions/shop/order')
    expect(await browser.sessionInfo()).toMatchObject({ returnUrl: '/orders/7' })
  })

  it('gives a static login page the return URL as a redirect that it may post', async () => {
    const { redirects } = formParts
    const onTheirWay: Action = async (visit) => {
      const session = await visit.session()
      session.change({ returnUrl: '/orders/7' })
      return new Response()
    }
    const login = formAction(formParts, (visit) =>
      Promise.resolve(formReply(visit, { ajax: 'success' })),
    )
    const actions = { 'shop/order': onTheirWay, 'users/login': login }
    const browser = openDoor({ actions }).aBrowser()
    expect(await browser.sessionInfo()).not.toHaveProperty('redirect')
    await browser.send('/actions/shop/order')
    const { redirect, returnUrl } = await browser.sessionInfo()
    expect(redirects.read(String(redirect))).toBe(returnUrl)
    const raw = await browser.post('users/login', { redirect: String(returnUrl) })
    expect([raw.status, raw.headers.get('x-error-code')]).toEqual([400, 'REDIRECT_INVALID'])
    const answer = await browser.post('users/login', { redirect: String(redirect) })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/orders/7'])
  })

  it('is kept by nobody, and cannot be read by a page of another origin', async () => {
    const { handle } = openDoor()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await handle(new Request(shop + path, { headers }))
    expect(response.headers.get('cache-control')).toBe('no-store')
    const names = [...response.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    const browser = openDoor().aBrowser()
    const head = await browser.send(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await browser.send(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('gives a token with the guard that a form asks for', async () => {
    const guards: unknown[] = []
    const form = formAction(formParts, (visit) => {
      guards.push(visit.token)
      return Promise.resolve(formReply(visit, { ajax: 'success' }))
    })
    const { aBrowser, clock } = openDoor({ actions: { 'shop/form': form } })
    const browser = aBrowser()
    await browser.post('shop/form', {}, { token: await browser.token('?guard=5') })
    await browser.post('shop/form', {}, { token: await browser.token() })
    expect(guards).toEqual([
      { issuedAt: clock.now, guard: { minimumSeconds: 5 } },
      { issuedAt: clock.now, guard: undefined },
    ])
  })

  it.each(['-1', 'x', '3601', '1.5', '', '1e3', '99999999999'])(
    'refuses a guard of "%s" seconds',
    async (guard) => {
      const response = await openDoor().aBrowser().send(`${path}?guard=${guard}`)
      expect(response.status).toBe(400)
    },
  )
})
