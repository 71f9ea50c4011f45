import { EncryptJWT, type JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { derivedKey } from '../../../src/core/signing.js'
import { cookieLimitBytes } from '../../../src/core/http/request-headers.js'
import { sessionCookieName, type SessionData } from '../../../src/core/http/session.js'
import { sessionDays } from '../../../src/core/http/sessions.js'
import { defineAction, type StoreActionHandler } from '../../../src/core/http/define-action.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const name = sessionCookieName(true)
const info = '/actions/users/session-info'

/** What the store's own action does to the session. */
let act: (context: Parameters<StoreActionHandler>[0]) => void

const look = defineAction('shop/look', (context) => {
  act(context)
  return context.json(context.session.data)
})
const door = simulatedStore(anyKind, {
  options: { actions: [look] },
  config: { serverURL: 'https://www.shop.example' },
})

/** The data of the browser's session, after a change of it. */
async function sessionOf(browser: TestBrowser, change: typeof act = () => undefined) {
  act = change
  return (await (await browser.post('shop/look')).json()) as SessionData
}

async function browserWith(data: Partial<SessionData>): Promise<TestBrowser> {
  const browser = door.aBrowser()
  await sessionOf(browser, ({ session }) => session.change(data))
  return browser
}

/** A browser that has this value in the cookie of the session. */
function browserWithCookie(value: string): TestBrowser {
  const browser = door.aBrowser()
  browser.cookies.set(name, value)
  return browser
}

const copyOf = (browser: TestBrowser) => browserWithCookie(browser.cookies.get(name) ?? '')

const cookiesAt = async (url: string, headers = {}) =>
  (await door.handle(new Request(url + info, { headers }))).headers.getSetCookie()

describe('The cookie of a session', () => {
  it('writes a cookie that scripts and other sites cannot use', async () => {
    const proxied = { 'x-forwarded-proto': 'https, http' }
    const lasts = `Max-Age=${sessionDays * 24 * 60 * 60}`
    const own = ['HttpOnly', lasts, 'Path=/', 'SameSite=Lax']
    for (const [cookie = ''] of [
      await cookiesAt(shopOrigin),
      await cookiesAt('http://shop.example', proxied),
    ]) {
      const [pair = '', ...attributes] = cookie.split('; ')
      expect(pair).toMatch(/^__Host-storeconnect=[\w.*~-]+$/)
      expect(attributes.sort()).toEqual([...own, 'Secure'])
    }
    // Without what browsers take over https only.
    const [plain = ''] = await cookiesAt('http://localhost:3000')
    expect(plain).toMatch(/^storeconnect=/)
    expect(plain.split('; ').slice(1).sort()).toEqual(own)
  })

  it('counts over https under its own name alone, as any page of http can set the other', async () => {
    const browser = await browserWith({ cartId: 3 })
    const planted = door.aBrowser()
    planted.cookies.set(sessionCookieName(false), browser.cookies.get(name) ?? '')
    expect((await sessionOf(planted)).cartId).toBeUndefined()
  })

  it('hides what it holds, and says nothing of the secret', async () => {
    const browser = await browserWith({ returnUrl: '/account/private' })
    const cookie = browser.cookies.get(name) ?? ''
    const decoded = cookie
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ')
    expect(decoded).not.toContain('private')
    expect(cookie + decoded).not.toContain(door.payload.config.secret)
  })

  it('is found among other cookies, and is none where one character of it is changed', async () => {
    const own = (await browserWith({ cartId: 1 })).cookies.get(name) ?? ''
    const among = `a=b=c; ${name}x=1; x${name}=2; flag;  ${name}=${own} ; z=9`
    expect(await cookiesAt(shopOrigin, { cookie: among })).toEqual([])
    for (let index = 0; index < own.length; index += 1) {
      const changed = own.slice(0, index) + (own[index] === 'A' ? 'B' : 'A') + own.slice(index + 1)
      expect(
        await cookiesAt(shopOrigin, { cookie: `${name}=${changed}` }),
        `at ${index}`,
      ).toHaveLength(1)
    }
  })
})

describe('A session', () => {
  it('has an unguessable id, and is written when it has changed, with what was put in', async () => {
    const data = {
      cartId: 12,
      flash: [{ kind: 'notice' as const, text: 'Grüße 👋' }],
      returnUrl: '/checkout?step=2',
    }
    const browser = await browserWith(data)
    const written = browser.cookies.get(name)
    const { id } = await sessionOf(browser)
    // 24 random bytes.
    expect(id).toMatch(/^[\w-]{32}$/)
    expect((await sessionOf(door.aBrowser())).id).not.toBe(id)
    expect(await sessionOf(browser)).toMatchObject(data)
    expect(browser.cookies.get(name)).toBe(written)
  })

  it('loses what is set to undefined, and never its id', async () => {
    const browser = await browserWith({ cartId: 1, returnUrl: '/a' })
    const { id } = await sessionOf(browser)
    const changes = { cartId: undefined, id: undefined }
    await sessionOf(browser, ({ session }) => session.change(changes))
    expect(await sessionOf(browser)).toEqual({ id, returnUrl: '/a' })
  })

  it('forgets where to go after login in an hour, which a new wish begins anew', async () => {
    const kept = await browserWith({ cartId: 1, returnUrl: '/a' })
    const anew = copyOf(kept)
    door.move(hourMs / 2)
    await sessionOf(kept, ({ session }) => session.change({ cartId: 2 }))
    await sessionOf(anew, ({ session }) => session.change({ returnUrl: '/a' }))
    door.move(hourMs / 2 - 1)
    expect(await sessionOf(kept)).toMatchObject({ cartId: 2, returnUrl: '/a' })
    door.move(1)
    expect(await sessionOf(kept)).not.toHaveProperty('returnUrl')
    expect((await sessionOf(kept)).cartId).toBe(2)
    expect((await sessionOf(anew)).returnUrl).toBe('/a')
  })

  it('ends 30 days after its cookie was written, which is anew when it is older than a day', async () => {
    const renewed = await browserWith({ cartId: 1 })
    const old = copyOf(renewed)
    door.move(dayMs + 1)
    await renewed.token()
    door.move((sessionDays - 1) * dayMs - 2)
    expect((await sessionOf(copyOf(old))).cartId).toBe(1)
    door.move(1)
    expect((await sessionOf(old)).cartId).toBeUndefined()
    door.move(dayMs - 1)
    expect((await sessionOf(renewed)).cartId).toBe(1)
  })

  it('has each notice once, in their order', async () => {
    const browser = door.aBrowser()
    const { flash } = await sessionOf(browser, ({ notice }) => {
      for (const text of ['One.', 'Two.', 'One.']) notice(text)
      notice('One.', 'error')
    })
    expect(flash).toEqual([
      { kind: 'notice', text: 'One.' },
      { kind: 'notice', text: 'Two.' },
      { kind: 'error', text: 'One.' },
    ])
  })

  it('that is too large for a cookie loses its oldest notices, and fits', async () => {
    const browser = door.aBrowser()
    await sessionOf(browser, ({ notice }) => {
      for (let count = 1; count <= 9; count += 1) notice(`${count} ${'x'.repeat(600)}`)
    })
    expect(name.length + (browser.cookies.get(name)?.length ?? 0)).toBeLessThan(cookieLimitBytes)
    const { flash } = await sessionOf(browser)
    expect(flash?.map(({ text }) => text[0])).toEqual(['6', '7', '8', '9'])
  })
})

describe('A cookie that is not a session of ours', () => {
  const algorithms = { alg: 'dir', enc: 'A256GCM' }
  const far = 1e11
  const key = (purpose: string, secret = door.payload.config.secret) => derivedKey(secret, purpose)
  const seal = (claims: JWTPayload, by: Uint8Array = key('session')) =>
    new EncryptJWT(claims).setProtectedHeader(algorithms).encrypt(by)
  const forged = { exp: far, data: { id: 'forged' } }
  const headed = (header: unknown) =>
    `${Buffer.from(JSON.stringify(header)).toString('base64url')}..YWJjZGVmZ2hpamts.YQ.YWJjZGVmZ2hpamtsbW5vcA`

  it('would be one if it were sealed with the key of the store', async () => {
    const browser = browserWithCookie(await seal({ exp: far, data: { id: 'known' } }))
    expect(await sessionOf(browser)).toEqual({ id: 'known' })
  })

  it.each<[string, () => Promise<string> | string]>([
    ['empty', () => ''],
    ['a word', () => 'junk'],
    ['no seal', () => 'a.b.c.d.e'],
    ['dots alone', () => '....'],
    ['very long', () => 'a.'.repeat(4000)],
    ['with a header that is null', () => headed(null)],
    ['with a header that says nothing', () => headed({})],
    ['with an algorithm that there is not', () => headed({ ...algorithms, alg: 'constructor' })],
    [
      'with an algorithm that costs a million rounds',
      () => headed({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 1e6, p2s: 'YWJjZGVmZ2g' }),
    ],
    ['with another encryption', () => headed({ ...algorithms, enc: 'A128CBC-HS256' })],
    ['with a critical extension', () => headed({ ...algorithms, crit: ['x'], x: 1 })],
    ['that is compressed', () => headed({ ...algorithms, zip: 'DEF' })],
    [
      'sealed with the secret itself',
      () => seal(forged, Buffer.from(door.payload.config.secret.padEnd(32).slice(0, 32))),
    ],
    ['sealed for another purpose', () => seal(forged, key('csrf'))],
    ['of another secret', () => seal(forged, key('session', 'other'))],
    ['without data', () => seal({})],
    ['without an id', () => seal({ exp: far, data: {} })],
    ['with an id that is no text', () => seal({ exp: far, data: { id: 7 } })],
    ['without an end', () => seal({ data: { id: 'forged' } })],
    ['that has ended', () => seal({ ...forged, exp: Math.floor(door.now() / 1000) })],
  ])('begins a new session: %s', async (_what, value) => {
    const session = await sessionOf(browserWithCookie(await value()))
    expect(Object.keys(session)).toEqual(['id'])
    expect(session.id).toMatch(/^[\w-]{32}$/)
  })
})
