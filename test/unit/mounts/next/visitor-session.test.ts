import { NextRequest, NextResponse } from 'next/server.js'
import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../../src/core/effects.js'
import { createCsrfTokens } from '../../../../src/core/http/csrf.js'
import { sessionCookieName, type SessionData } from '../../../../src/core/http/session.js'
import { createSessions } from '../../../../src/core/http/sessions.js'
import {
  pageUrlOf,
  beginPageView,
  isPageView,
  sessionsFor,
} from '../../../../src/mounts/next/visitor-session.js'
import { createPageForms } from '../../../../src/mounts/next/page-forms.js'
import { visitorSession, type VisitorSessionOptions } from '../../../../src/mounts/next/proxy.js'

const secret = 'a-secret-of-the-test-store'
const sessions = createSessions({ secret, effects: realEffects })
const formsOf = createPageForms(secret)
const name = sessionCookieName(true)

const pageView = (headers: Record<string, string> = {}) =>
  new Request('https://shop.example/tea', {
    headers: { 'sec-fetch-dest': 'document', 'x-forwarded-proto': 'https', ...headers },
  })

/** The Cookie header of a visitor whose session holds this. */
async function cookieWith(changes: Partial<SessionData>): Promise<string> {
  const session = await sessions.open(pageView())
  session.change(changes)
  return (await session.cookie())?.split(';')[0] ?? ''
}

const notice = { kind: 'notice', text: 'Käse & <Brot> 🍞' } as const

describe("A visitor's first page", () => {
  it('comes with a session, which its own forms know already', async () => {
    const { headers, cookie } = await beginPageView(sessions, pageView({ cookie: 'theme=dark' }))
    expect(cookie).toMatch(/^__Host-storeconnect=[^;]+;.*HttpOnly; SameSite=Lax; Secure$/)
    expect(headers.get('cookie')).toBe(`theme=dark; ${cookie?.split(';')[0]}`)

    const kept = await sessions.open(pageView({ cookie: cookie?.split(';')[0] ?? '' }))
    const { name: field, value } = await formsOf(headers).csrfField({ minimumSeconds: 3 })
    expect(field).toBe('CSRF_TOKEN')
    const tokens = createCsrfTokens({ secret, effects: realEffects })
    expect(tokens.verify(value, kept.data.id)?.guard).toEqual({ minimumSeconds: 3 })
  })

  it('replaces a cookie that is not ours', async () => {
    const given = pageView({ cookie: `a=1; ${name}=junk; b=2` })
    const { headers, cookie } = await beginPageView(sessions, given)
    expect(headers.get('cookie')).toBe(`a=1; b=2; ${cookie?.split(';')[0]}`)
  })
})

describe('Every other page', () => {
  it('leaves the cookie alone', async () => {
    const cookie = await cookieWith({ cartId: 7 })
    const visit = await beginPageView(sessions, pageView({ cookie }))
    expect(visit.cookie).toBeUndefined()
    expect(visit.headers.get('cookie')).toBe(cookie)
    expect((await formsOf(visit.headers).session()).cartId).toBe(7)
  })

  it('begins nothing for what is no page view', async () => {
    const { headers, cookie } = await beginPageView(
      sessions,
      pageView({ 'sec-fetch-dest': 'empty' }),
    )
    expect(cookie).toBeUndefined()
    expect(headers.has('cookie')).toBe(false)
  })
})

describe('A flash notice', () => {
  it('waits while the browser only fetches ahead', async () => {
    const cookie = await cookieWith({ flash: [notice] })
    for (const headers of [{ 'sec-fetch-dest': 'empty' }, { 'sec-purpose': 'prefetch' }]) {
      const visit = await beginPageView(sessions, pageView({ cookie, ...headers }))
      expect(visit.cookie).toBeUndefined()
      expect(formsOf(visit.headers).notices()).toEqual([])
    }
  })

  it('is never what a client sends under its name', async () => {
    const sent = { 'x-storeconnect-notices': encodeURIComponent(JSON.stringify([notice])) }
    const { headers } = await beginPageView(sessions, pageView(sent))
    expect(formsOf(headers).notices()).toEqual([])
  })

  it.each(['%', 'junk', '%7B%7D', encodeURIComponent('[{"kind":"ad","text":"x"}]')])(
    'is not made of %s',
    (value) => {
      expect(formsOf(new Headers({ 'x-storeconnect-notices': value })).notices()).toEqual([])
    },
  )
})

describe('visitorSession()', () => {
  it('refuses to work without a secret', () => {
    expect(() => sessionsFor(undefined)).toThrow(TypeError)
    expect(() => sessionsFor('')).toThrow(TypeError)
  })
})

const pageUrlFor = async (url: string, headers: Record<string, string> = {}) => {
  const visit = await beginPageView(sessions, new Request(url, { headers }))
  return pageUrlOf(visit.headers)
}

describe("A page's own URL", () => {
  it('is handed over by the proxy, with the host that the browser asked and without the query', async () => {
    const headers = { host: 'shop.example', 'x-forwarded-proto': 'https' }
    const url = await pageUrlFor('http://127.0.0.1:3000/de/tee?number=abc#x', headers)
    expect(url).toBe('https://shop.example/de/tee')
  })

  it.each([{ 'sec-fetch-dest': 'document' }, { 'sec-fetch-dest': 'empty' }, {}])(
    'is never what a client says it is, with %j',
    async (kind) => {
      const headers = { ...kind, 'x-storeconnect-page': 'https://wholesale.example/' }
      expect(await pageUrlFor('https://shop.example/tea', headers)).toBe('https://shop.example/tea')
    },
  )

  it.each([
    [{ host: 'shop.example' }, 'http://shop.example/'],
    [{ host: 'shop.example', 'x-forwarded-proto': 'https' }, 'https://shop.example/'],
    [{ host: 'a b' }, 'http://localhost/'],
    [{ host: 'shop.example', 'x-storeconnect-page': 'junk' }, 'http://shop.example/'],
    [{}, 'http://localhost/'],
  ])('is the host alone where no proxy runs: %j', (headers, expected) => {
    expect(pageUrlOf(new Headers(headers))).toBe(expected)
  })
})

const ask = (headers: Record<string, string>, { method = 'GET', path = '/tea' } = {}) =>
  isPageView(new Request(`https://shop.example${path}`, { method, headers }))

const html = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

it.each<[what: string, headers: Record<string, string>, isOne: boolean]>([
  ['a navigation', { 'sec-fetch-dest': 'document', ...html }, true],
  ['a browser that does not say where it puts the answer', html, true],
  ['what Next.js fetches for another page', { 'sec-fetch-dest': 'empty', ...html }, false],
  ['the same without Sec-Fetch-Dest', { accept: '*/*' }, false],
  ['a frame', { 'sec-fetch-dest': 'iframe', ...html }, false],
  ['a picture', { 'sec-fetch-dest': 'image', accept: 'image/*' }, false],
  ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }, false],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }, false],
  ['an older prefetch', { purpose: 'prefetch', ...html }, false],
  ['a client that accepts anything', {}, false],
])('a page view is %s: %j, %s', (_, headers, isOne) => {
  expect(ask(headers)).toBe(isOne)
})

it('a page view is a GET of something else than an action', () => {
  expect(ask(html, { method: 'POST' })).toBe(false)
  expect(ask(html, { method: 'HEAD' })).toBe(false)
  expect(ask(html, { path: '/de/actions/users/session-info' })).toBe(false)
})

type StoreProxy = NonNullable<VisitorSessionOptions['proxy']>

describe('With a proxy that the store has already', () => {
  async function answered(proxy: StoreProxy) {
    const request = new NextRequest(pageView())
    return visitorSession({ secret, proxy })(request)
  }
  const sessionFor = (response: NextResponse) => response.headers.get('x-middleware-request-cookie')

  it.each<[string, StoreProxy]>([
    ['lets the page through', () => NextResponse.next()],
    ['answers nothing', () => undefined],
    ['rewrites it', ({ url }) => NextResponse.rewrite(new URL('/new', url))],
    [
      'passes headers of its own',
      ({ headers }) =>
        NextResponse.next({ request: { headers: new Headers([...headers, ['x-own', '1']]) } }),
    ],
  ])('the page has the session where the proxy %s', async (_, proxy) => {
    const response = await answered(proxy)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toMatch(/^__Host-storeconnect=/)
    expect(sessionFor(response)).toBe(cookie)
    expect(response.headers.get('x-middleware-override-headers')).toContain('cookie')
  })

  it('the proxy reads the session from its request', async () => {
    let seen = ''
    await answered(({ headers }) => {
      seen = headers.get('cookie') ?? ''
    })
    expect(seen).toMatch(/^__Host-storeconnect=/)
  })

  it('its own answer goes out, with the session for the next page', async () => {
    const response = await answered(({ url }) => NextResponse.redirect(new URL('/login', url)))
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toBe('https://shop.example/login')
    expect(sessionFor(response)).toBeNull()
    expect(response.headers.get('set-cookie')).toContain('__Host-storeconnect=')
  })
})
