import { describe, expect, it, vi } from 'vitest'
import type { Action } from '../../src/http/visit.js'
import { Problem } from '../../src/errors.js'
import { ajax, openDoor, shop } from '../support/open-door.js'

const greet: Action = () => Promise.resolve(new Response('hello'))

describe('the front door', () => {
  it('reads parameters, session and visitor on first use, and once', async () => {
    const visitorOf = vi.fn(() => Promise.resolve(undefined))
    const look: Action = async (visit) => {
      expect(visit.parameters()).toBe(visit.parameters())
      expect(visit.session()).toBe(visit.session())
      expect(visit.visitor()).toBe(visit.visitor())
      return Response.json((await visit.parameters()).tree)
    }
    const door = openDoor({ actions: { look, greet }, visitorOf })
    await door.aBrowser().send('/actions/greet')
    expect(visitorOf).not.toHaveBeenCalled()
    const response = await door.aBrowser().send('/actions/look', {
      method: 'POST',
      body: new URLSearchParams({ a: '1' }),
      headers: { 'x-visitor': 'me' },
    })
    expect(await response.json()).toEqual({ a: '1' })
    expect(visitorOf).toHaveBeenCalledOnce()
  })

  it('sets no cookie that nothing asked for', async () => {
    const look: Action = async (visit) => Response.json((await visit.session()).data)
    const door = openDoor({ actions: { greet, look } })
    for (const path of ['/actions/greet', '/actions/look', '/actions/nothing']) {
      const response = await door.aBrowser().send(path)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  it('sends what the session holds out and takes it back', async () => {
    const put: Action = async (visit) => {
      const session = await visit.session()
      session.change({ cartId: Number(session.data.cartId ?? 0) + 1 })
      return Response.json(session.data.cartId)
    }
    const browser = openDoor({ actions: { put } }).aBrowser()
    expect(await (await browser.send('/actions/put')).json()).toBe(1)
    expect(await (await browser.send('/actions/put')).json()).toBe(2)
  })

  it('sets the cookie on an error reply too', async () => {
    const fail: Action = async (visit) => {
      const session = await visit.session()
      session.change({ flash: [{ kind: 'error', text: 'No.' }] })
      throw new Problem('PARAMETER_INVALID')
    }
    const response = await openDoor({ actions: { fail } }).aBrowser().send('/actions/fail')
    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toHaveLength(1)
  })

  it('sets the cookie beside those of the action, for HEAD too', async () => {
    const login: Action = async (visit) => {
      const session = await visit.session()
      session.renew()
      return new Response('in', { headers: { 'set-cookie': 'payload-token=1; Path=/' } })
    }
    const browser = openDoor({ actions: { login } }).aBrowser()
    for (const method of ['GET', 'HEAD']) {
      const response = await browser.send('/actions/login', { method })
      expect(response.headers.getSetCookie()).toEqual([
        'payload-token=1; Path=/',
        expect.stringMatching(/^__Host-storeconnect=/),
      ])
    }
  })

  it.each([
    ['nothing', undefined, 'no-store'],
    ['anybody', 'public, max-age=60', 'no-store'],
    ['the visitor', 'private, max-age=60', 'private, max-age=60'],
    ['nobody', 'no-store, max-age=0', 'no-store, max-age=0'],
  ])(
    'lets nobody keep an answer with the cookie that %s may keep',
    async (_who, given, expected) => {
      const keep: Action = async (visit) => {
        const session = await visit.session()
        session.keep()
        return new Response('', { headers: given === undefined ? {} : { 'cache-control': given } })
      }
      const response = await openDoor({ actions: { keep } }).aBrowser().send('/actions/keep')
      expect(response.headers.getSetCookie()).toHaveLength(1)
      expect(response.headers.get('cache-control')).toBe(expected)
    },
  )

  it('seals a response whose headers are locked', async () => {
    const go: Action = async (visit) => {
      const session = await visit.session()
      session.keep()
      return Response.redirect(`${shop}/there`, 303)
    }
    const response = await openDoor({ actions: { go } }).aBrowser().send('/actions/go')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${shop}/there`)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.getSetCookie()).toHaveLength(1)
  })

  it.each<[string, Action]>([
    ['gives no response', () => Promise.resolve(undefined as never)],
    ['gives an error response', () => Promise.resolve(Response.error())],
    [
      'throws before it is asynchronous',
      () => {
        throw new Error('private cause')
      },
    ],
    [
      'makes the session too large',
      async (visit) => {
        const session = await visit.session()
        session.change({ returnUrl: 'private cause'.repeat(500) })
        return new Response('done')
      },
    ],
  ])('answers 500 and tells the log alone when an action %s', async (_what, broken) => {
    const door = openDoor({ actions: { broken } })
    const response = await door.aBrowser().send('/actions/broken', { headers: ajax })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('private')
    expect(response.headers.getSetCookie()).toEqual([])
    const [line] = door.lines
    expect(line).toMatchObject({ level: 'error', sentence: 'Request failed' })
    expect(line?.fields.err).toBeInstanceOf(Error)
    expect(line?.fields.requestId).toBe(response.headers.get('x-request-id'))
  })

  it("takes the connection's address, or with trustProxy what the proxy says alone", async () => {
    const seen: unknown[] = []
    const look: Action = (visit) => {
      seen.push(visit.clientIp)
      return Promise.resolve(new Response())
    }
    const request = (headers: Record<string, string> = { 'x-real-ip': '192.0.2.7' }) =>
      new Request(`${shop}/actions/look`, { headers })
    const plain = openDoor({ actions: { look } })
    await plain.handle(request(), { address: '192.0.2.1' })
    await plain.handle(request())
    const proxied = openDoor({ actions: { look }, trustProxy: { header: 'x-real-ip' } })
    await proxied.handle(request(), { address: '192.0.2.1' })
    await proxied.handle(request({}), { address: '192.0.2.1' })
    expect(seen).toEqual(['192.0.2.1', undefined, '192.0.2.7', undefined])
  })

  it("never rejects, whatever the store's own functions do", async () => {
    const door = openDoor({
      visitorOf: () => Promise.reject(new Error('broken users')),
    })
    const info = await door.handle(new Request(`${shop}/actions/users/session-info`))
    expect(info.status).toBe(500)
  })
})
