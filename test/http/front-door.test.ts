import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '../../src/errors.js'
import { defineAction, type StoreActionHandler } from '../../src/http/store-action.js'
import { ajax, openDoor, shop, type TestDoor } from '../support/open-door.js'

describe('the front door', () => {
  let door: TestDoor
  /** What the action of the test does. */
  let act: StoreActionHandler
  const authenticate = vi.fn(() => ({ user: null }))

  beforeAll(async () => {
    door = await openDoor({
      actions: [defineAction('shop/act', (context) => act(context))],
      userAuth: { strategies: [{ name: 'badge', authenticate }] },
    })
  })
  afterAll(() => door.close())
  beforeEach(() => {
    door.log.clear()
    authenticate.mockClear()
  })

  const run = (handler: StoreActionHandler, headers: Record<string, string> = {}) => {
    act = handler
    return door.aBrowser().post('shop/act', {}, { headers })
  }

  it('looks who is logged in when an action asks, and once', async () => {
    const browser = door.aBrowser()
    const token = await browser.token()
    authenticate.mockClear()
    act = () => new Response('hello')
    await browser.post('shop/act', {}, { token })
    expect(authenticate).not.toHaveBeenCalled()
    act = async ({ user, json }) => json([await user(), await user()].length)
    await browser.post('shop/act', {}, { token })
    expect(authenticate).toHaveBeenCalledOnce()
  })

  it('sets no cookie that nothing asked for', async () => {
    for (const path of ['/actions/nothing', '/actions/shippingconnect/orders/process']) {
      const response = await door.aBrowser().send(path)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  it('sets the cookie on an error reply too', async () => {
    const response = await run(({ notice }) => {
      notice('No.', 'error')
      throw new Problem('PARAMETER_INVALID')
    })
    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toHaveLength(1)
  })

  it('sets the cookie beside those of the action', async () => {
    const response = await run(({ notice }) => {
      notice('Welcome.')
      return new Response('in', { headers: { 'set-cookie': 'payload-token=1; Path=/' } })
    })
    expect(response.headers.getSetCookie()).toEqual([
      'payload-token=1; Path=/',
      expect.stringMatching(/^__Host-storeconnect=/),
    ])
  })

  it.each([
    ['nothing', undefined, 'no-store'],
    ['anybody', 'public, max-age=60', 'no-store'],
    ['the visitor', 'private, max-age=60', 'private, max-age=60'],
    ['nobody', 'no-store, max-age=0', 'no-store, max-age=0'],
  ])(
    'lets nobody keep an answer with the cookie that %s may keep',
    async (_who, given, expected) => {
      const response = await run(({ notice }) => {
        notice('Keep it.')
        return new Response('', { headers: given === undefined ? {} : { 'cache-control': given } })
      })
      expect(response.headers.getSetCookie()).toHaveLength(1)
      expect(response.headers.get('cache-control')).toBe(expected)
    },
  )

  it('seals a response whose headers are locked', async () => {
    const response = await run(({ notice }) => {
      notice('Go.')
      return Response.redirect(`${shop}/there`, 303)
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${shop}/there`)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.getSetCookie()).toHaveLength(1)
  })

  it.each<[string, StoreActionHandler]>([
    ['gives no response', () => undefined as never],
    ['gives an error response', () => Response.error()],
    [
      'throws',
      () => {
        throw new Error('private cause')
      },
    ],
    [
      'makes the session too large',
      ({ session }) => {
        session.change({ returnUrl: 'private cause'.repeat(500) })
        return new Response('done')
      },
    ],
  ])('answers 500 and tells the log alone when an action %s', async (_what, broken) => {
    const response = await run(broken, ajax)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('private')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(door.log.lines()).toMatchObject([
      {
        level: 50,
        msg: 'Request failed',
        err: { type: expect.stringMatching(/Error$/) as string },
        requestId: response.headers.get('x-request-id'),
      },
    ])
  })
})
