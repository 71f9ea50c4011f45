import { randomBytes } from 'node:crypto'
import { EncryptJWT, type JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import { derivedKey } from '../../../src/database/derived-key.js'
import {
  addNotice,
  createSessions,
  sessionCookieName,
  sessionDays,
  type SessionData,
} from '../../../src/http/session.js'
import { cookieLimitBytes } from '../../../src/http/request-headers.js'

const secret = 'a secret of the store'
const start = new Date('2026-03-10T12:00:00Z')
const dayMs = 24 * 60 * 60 * 1000

function aVisitor({ url = 'https://shop.example/actions/x' } = {}) {
  let time = start.getTime()
  const sessions = createSessions({
    secret,
    effects: { ...realEffects, now: () => new Date(time) },
  })
  const open = (cookie?: string, options = sessions) =>
    options.open({ url, headers: new Headers(cookie === undefined ? {} : { cookie }) })
  return {
    sessions,
    open,
    pass: (ms: number) => void (time += ms),
    /** A cookie as the browser sends it back. */
    cookieWith: async (data: Partial<SessionData>): Promise<string> => {
      const session = await open()
      session.change(data)
      return sentBack(await session.cookie())
    },
  }
}

function sentBack(setCookie: string | undefined): string {
  const [pair] = setCookie?.split(';') ?? []
  if (pair === undefined) throw new Error('There is no cookie.')
  return pair
}

describe('createSessions', () => {
  it('gives a new visitor an unguessable id, and no cookie until something needs it', async () => {
    const { open } = aVisitor()
    const sessions = await Promise.all(Array.from({ length: 50 }, () => open()))
    const ids = sessions.map(({ data }) => data.id)
    expect(new Set(ids).size).toBe(50)
    // 24 random bytes.
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/)
    for (const session of sessions) expect(await session.cookie()).toBeUndefined()
  })

  it('gives back what was put in, also to another process with the same secret', async () => {
    const { open, cookieWith } = aVisitor()
    const data = {
      cartId: 12,
      flash: [{ kind: 'notice' as const, text: 'Grüße 👋' }],
      returnUrl: '/checkout?step=2',
    }
    const cookie = await cookieWith(data)
    expect((await open(cookie)).data).toMatchObject(data)
    const elsewhere = createSessions({ secret, effects: { ...realEffects, now: () => start } })
    expect((await open(cookie, elsewhere)).data).toEqual((await open(cookie)).data)
  })

  it('writes a cookie that scripts and other sites cannot use', async () => {
    const session = await aVisitor().open()
    session.keep()
    const [pair = '', ...attributes] = (await session.cookie())?.split('; ') ?? []
    expect(pair).toMatch(/^__Host-storeconnect=[\w.*~-]+$/)
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      `Max-Age=${sessionDays * 24 * 60 * 60}`,
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
  })

  it('leaves out on plain http what browsers take over https only', async () => {
    const session = await aVisitor({ url: 'http://localhost:3000/' }).open()
    session.keep()
    const cookie = await session.cookie()
    expect(cookie).toMatch(/^storeconnect=/)
    expect(cookie).not.toContain('Secure')
  })

  it('is secure behind a proxy that ends TLS', async () => {
    const session = await createSessions({ secret, effects: realEffects }).open({
      url: 'http://shop.example/',
      headers: new Headers({ 'x-forwarded-proto': 'https, http' }),
    })
    session.keep()
    expect(await session.cookie()).toMatch(/^__Host-storeconnect=.*; Secure$/)
  })

  it('does not take the unprefixed cookie over https, which any page of http can set', async () => {
    const { open, cookieWith } = aVisitor()
    const cookie = await cookieWith({ cartId: 3 })
    const planted = cookie.replace(sessionCookieName(true), sessionCookieName(false))
    expect((await open(planted)).data.cartId).toBeUndefined()
  })

  it('hides what it holds, and says nothing of the secret', async () => {
    const { cookieWith } = aVisitor()
    const cookie = await cookieWith({ returnUrl: '/account/private' })
    const decoded = cookie
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ')
    expect(decoded).not.toContain('private')
    expect(cookie + decoded).not.toContain(secret)
  })

  it('writes only what has changed', async () => {
    const { open, cookieWith } = aVisitor()
    const session = await open(await cookieWith({ cartId: 1 }))
    expect(session.data.cartId).toBe(1)
    expect(await session.cookie()).toBeUndefined()
    session.keep()
    expect(await session.cookie()).toBeUndefined()
    session.change({ cartId: 2 })
    expect(await session.cookie()).toBeDefined()
  })

  it('removes what is set to undefined, and never the id', async () => {
    const { open, cookieWith } = aVisitor()
    const session = await open(await cookieWith({ cartId: 1, returnUrl: '/a' }))
    const { id } = session.data
    session.change({ cartId: undefined, id: undefined })
    expect(session.data).toEqual({ id, returnUrl: '/a' })
    expect((await open(sentBack(await session.cookie()))).data).toEqual({ id, returnUrl: '/a' })
  })

  it('forgets where to go after login in an hour, which a new wish begins anew', async () => {
    const { open, cookieWith, pass } = aVisitor()
    const halfAnHour = 30 * 60 * 1000
    const cookie = await cookieWith({ cartId: 1, returnUrl: '/a' })
    pass(halfAnHour)
    const other = await open(cookie)
    other.change({ cartId: 2 })
    const wished = await open(cookie)
    wished.change({ returnUrl: '/a' })
    const [kept, anew] = [sentBack(await other.cookie()), sentBack(await wished.cookie())]
    pass(halfAnHour - 1)
    expect((await open(kept)).data).toMatchObject({ cartId: 2, returnUrl: '/a' })
    pass(1)
    expect((await open(kept)).data).not.toHaveProperty('returnUrl')
    expect((await open(kept)).data.cartId).toBe(2)
    expect((await open(anew)).data.returnUrl).toBe('/a')
  })

  it('has a new id after it was renewed, with everything else in place', async () => {
    const { open, cookieWith } = aVisitor()
    const session = await open(await cookieWith({ cartId: 1 }))
    const { id } = session.data
    session.renew()
    expect(session.data.id).not.toBe(id)
    expect((await open(sentBack(await session.cookie()))).data).toEqual({
      id: session.data.id,
      cartId: 1,
    })
  })

  it('ends 30 days after it was written, also for a process that remembers it', async () => {
    const { open, cookieWith, pass } = aVisitor()
    const cookie = await cookieWith({ cartId: 1 })
    pass(sessionDays * dayMs - 1)
    expect((await open(cookie)).data.cartId).toBe(1)
    pass(1)
    expect((await open(cookie)).data.cartId).toBeUndefined()
  })

  it('gets its whole life again when it is kept after a day', async () => {
    const { open, cookieWith, pass } = aVisitor()
    const cookie = await cookieWith({ cartId: 1 })
    pass(dayMs + 1)
    const session = await open(cookie)
    expect(await session.cookie()).toBeUndefined()
    session.keep()
    const renewed = sentBack(await session.cookie())
    pass(sessionDays * dayMs - 1)
    expect((await open(cookie)).data.cartId).toBeUndefined()
    expect((await open(renewed)).data).toEqual(session.data)
  })

  it('shares nothing between two requests with the same cookie', async () => {
    const { open, cookieWith } = aVisitor()
    const cookie = await cookieWith({ flash: [{ kind: 'notice', text: 'one' }] })
    const first = await open(cookie)
    first.data.flash?.push({ kind: 'error', text: 'two' })
    first.change({ cartId: 5 })
    expect((await open(cookie)).data.flash).toHaveLength(1)
    expect((await open(cookie)).data.cartId).toBeUndefined()
  })

  it('needs a secret', () => {
    expect(() => createSessions({ secret: ' ', effects: realEffects })).toThrow(TypeError)
  })
})

const algorithms = { alg: 'dir', enc: 'A256GCM' }

describe('a cookie that is not a session of ours', () => {
  const name = sessionCookieName(true)
  const key = derivedKey(secret, 'session')
  const far = 1e11
  const seal = (claims: JWTPayload, by = key) =>
    new EncryptJWT(claims).setProtectedHeader(algorithms).encrypt(by)
  const headed = (header: unknown) =>
    `${Buffer.from(JSON.stringify(header)).toString('base64url')}..YWJjZGVmZ2hpamts.YQ.YWJjZGVmZ2hpamtsbW5vcA`

  it('opens what is sealed with its key', async () => {
    const { open } = aVisitor()
    const session = await open(`${name}=${await seal({ exp: far, data: { id: 'known' } })}`)
    expect(session.data).toEqual({ id: 'known' })
  })

  it.each([
    ['empty', () => ''],
    ['a word', () => 'junk'],
    ['no seal', () => 'a.b.c.d.e'],
    ['dots alone', () => '....'],
    ['very long', () => 'a.'.repeat(4000)],
    ['with a header that is null', () => headed(null)],
    ['with a header that says nothing', () => headed({})],
    ['with an algorithm that there is not', () => headed({ alg: 'constructor', enc: 'A256GCM' })],
    [
      'with an algorithm that costs a million rounds',
      () => headed({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 1e6, p2s: 'YWJjZGVmZ2g' }),
    ],
    ['with another encryption', () => headed({ alg: 'dir', enc: 'A128CBC-HS256' })],
    ['with a critical extension', () => headed({ ...algorithms, crit: ['x'], x: 1 })],
    ['that is compressed', () => headed({ ...algorithms, zip: 'DEF' })],
    [
      'sealed with the secret itself',
      () => seal({ exp: far, data: { id: 'forged' } }, Buffer.from(secret.padEnd(32))),
    ],
    [
      'sealed for another purpose',
      () => seal({ exp: far, data: { id: 'forged' } }, derivedKey(secret, 'csrf')),
    ],
    [
      'of another secret',
      () => seal({ exp: far, data: { id: 'forged' } }, derivedKey('other', 'session')),
    ],
    ['without data', () => seal({})],
    ['without an id', () => seal({ exp: far, data: {} })],
    ['with an id that is no text', () => seal({ exp: far, data: { id: 7 } })],
    ['without an end', () => seal({ data: { id: 'forged' } })],
    ['that has ended', () => seal({ exp: start.getTime() / 1000, data: { id: 'forged' } })],
  ])('starts a new session: %s', async (_what, value) => {
    const { open } = aVisitor()
    const session = await open(`${name}=${await value()}`)
    expect(Object.keys(session.data)).toEqual(['id'])
    expect(session.data.id).toMatch(/^[\w-]{32}$/)
  })

  it('starts a new session wherever one character of a good one is changed', async () => {
    const { open, cookieWith } = aVisitor()
    const cookie = await cookieWith({ cartId: 1 })
    const from = cookie.indexOf('=') + 1
    for (let index = from; index < cookie.length; index += 1) {
      const other = cookie[index] === 'A' ? 'B' : 'A'
      const changed = cookie.slice(0, index) + other + cookie.slice(index + 1)
      expect((await open(changed)).data.cartId, `at ${index}`).toBeUndefined()
    }
  })

  it('is found among other cookies', async () => {
    const { open, cookieWith } = aVisitor()
    const cookie = await cookieWith({ cartId: 1 })
    const session = await open(`a=b=c; ${name}x=1; x${name}=2; flag;  ${cookie} ; z=9`)
    expect(session.data.cartId).toBe(1)
  })
})

describe('a session that is too large for a cookie', () => {
  const text = (size: number) => randomBytes(size).toString('hex').slice(0, size)

  it('loses its oldest notices, and fits', async () => {
    const { open } = aVisitor()
    const session = await open()
    for (let count = 1; count <= 9; count += 1) {
      addNotice(session, `${count} ${text(600)}`)
    }
    const cookie = await session.cookie()
    expect(Buffer.byteLength(cookie ?? '')).toBeLessThanOrEqual(cookieLimitBytes)
    const kept = (await open(sentBack(cookie))).data.flash?.map((notice) => notice.text[0])
    expect(kept).toEqual(['6', '7', '8', '9'])
  })

  it('fails when it is too large without a notice', async () => {
    const session = await aVisitor().open()
    session.change({ returnUrl: `/${text(4000)}` })
    addNotice(session, 'lost')
    await expect(session.cookie()).rejects.toThrow(RangeError)
  })
})
