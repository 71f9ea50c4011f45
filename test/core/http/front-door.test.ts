import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '../../../src/core/errors.js'
import { defineAction, type StoreActionHandler } from '../../../src/core/http/define-action.js'
import { shopOrigin, signed, type PostOptions } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind, openStore } from '../../support/store.js'

describe("a store's own action", () => {
  /** What the action of the test does. */
  let act: StoreActionHandler
  const authenticate = vi.fn(() => ({ user: null }))

  // The example of `defineAction`.
  const votes: string[] = []
  const saveVote = (tea: string) => Promise.resolve(void votes.push(tea))
  const vote = defineAction('shop/polls/vote', async ({ parameters, notice, reply }) => {
    await saveVote(String(parameters.tea))
    notice('Thank you for your vote.')
    return reply({ voted: true })
  })
  const look = defineAction('shop/look', async ({ request, user, session, json }) => {
    const before = session.data.cartId
    session.change({ cartId: 12 })
    return json({ url: request.url, user: (await user())?.document.email, before })
  })
  const go = defineAction('shop/go', ({ parameters, redirect }) =>
    redirect(parameters.to === undefined ? undefined : String(parameters.to)),
  )

  const door = simulatedStore(anyKind, {
    options: { actions: [defineAction('shop/act', (context) => act(context)), vote, look, go] },
    config: { serverURL: 'https://www.shop.example' },
    userAuth: { strategies: [{ name: 'badge', authenticate }] },
  })
  beforeEach(() => {
    authenticate.mockClear()
    votes.splice(0)
  })

  const run = (handler: StoreActionHandler, options?: PostOptions) => {
    act = handler
    return door.aBrowser().post('shop/act', {}, options)
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

  it('sets no cookie that nothing asked for, and one also on an error reply', async () => {
    for (const path of ['/actions/nothing', '/actions/shippingconnect/orders/process']) {
      expect((await door.aBrowser().send(path)).headers.getSetCookie()).toEqual([])
    }
    const refusal = await run(({ notice }) => {
      notice('No.', 'error')
      throw new Problem('PARAMETER_INVALID')
    })
    expect(refusal.status).toBe(400)
    expect(refusal.headers.getSetCookie()).toHaveLength(1)
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

  it.each<[given: string | undefined, cookie: 'no' | 'our' | 'its own', expected: string]>([
    [undefined, 'no', 'no-store'],
    ['public, max-age=60', 'no', 'public, max-age=60'],
    [undefined, 'our', 'no-store'],
    ['public, max-age=60', 'our', 'no-store'],
    ['private, max-age=60', 'our', 'private, max-age=60'],
    ['no-store, max-age=0', 'our', 'no-store, max-age=0'],
    ['public', 'its own', 'no-store'],
  ])('lets caches keep an answer of %s with %s cookie as %s', async (given, cookie, expected) => {
    const response = await run(({ notice }) => {
      if (cookie === 'our') notice('Keep it.')
      const headers = new Headers(given === undefined ? {} : { 'cache-control': given })
      if (cookie === 'its own') headers.set('set-cookie', 'payload-token=1; Path=/')
      return new Response('', { headers })
    })
    expect(response.headers.getSetCookie()).toHaveLength(cookie === 'no' ? 0 : 1)
    expect(response.headers.get('cache-control')).toBe(expected)
  })

  it('seals a response whose headers are locked', async () => {
    const response = await run(({ notice }) => {
      notice('Go.')
      return Response.redirect(`${shopOrigin}/there`, 303)
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${shopOrigin}/there`)
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
    const response = await run(broken, { ajax: true })
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

  it('answers forms and scripts, and shows the visitor a notice on the next page', async () => {
    const browser = door.aBrowser()
    const headers = { referer: `${shopOrigin}/polls` }
    const form = await browser.post('shop/polls/vote', { tea: 'Assam' }, { headers })
    expect(form.status).toBe(303)
    expect(form.headers.get('location')).toBe(`${shopOrigin}/polls`)
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({
      notices: [{ kind: 'notice', text: 'Thank you for your vote.' }],
    })
    const script = await browser.post('shop/polls/vote', { tea: 'Sencha' }, { ajax: true })
    expect(await script.json()).toEqual({ voted: true })
    expect(votes).toEqual(['Assam', 'Sencha'])
  })

  it('knows the request, who is logged in and the session, whose cart it may change', async () => {
    const user = { email: 'ada@shop.example', password: 'difference engine' }
    await door.payload.create({ collection: 'users', data: user })
    const browser = door.aBrowser()
    const url = `${shopOrigin}/actions/shop/look`
    expect(await (await browser.post('shop/look')).json()).toEqual({ url })
    await browser.post('users/login', user)
    expect(await (await browser.post('shop/look')).json()).toEqual({
      url,
      user: user.email,
      before: 12,
    })
  })

  it('sends the visitor where it says, else where the form says', async () => {
    const to = async (fields: Record<string, string>) => {
      const response = await door.aBrowser().post('shop/go', fields)
      return [response.status, response.headers.get('location')]
    }
    expect(await to({ to: '/cart' })).toEqual([303, '/cart'])
    expect(await to({ to: 'https://pay.example/1' })).toEqual([303, 'https://pay.example/1'])
    expect(await to({ redirect: signed(door, '/thanks') })).toEqual([303, '/thanks'])
    expect(await to({})).toEqual([303, '/'])
    expect(await to({ to: '//evil.example' })).toEqual([500, null])
  })

  it('can refuse with a status of its own', async () => {
    const response = await run(
      () => {
        throw new Problem('PARAMETER_INVALID', { message: 'Choose a tea.' })
      },
      { ajax: true },
    )
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ errors: [{ message: 'Choose a tea.' }] })
  })

  it.each(['users/login', 'users/session-info', 'storeconnect/health', 'shop/polls/vote'])(
    'cannot take %s, which a store has already',
    async (path) => {
      const actions = [vote, defineAction(path, () => new Response())]
      await expect(openStore(anyKind, { options: { actions } })).rejects.toThrow(
        `there are two actions "${path}"`,
      )
    },
  )
})

describe('defineAction', () => {
  const handler = () => new Response()

  it('cannot be passed by, and needs a handler', async () => {
    const actions = [{ path: 'marketingconnect/api/track', handler }]
    await expect(openStore(anyKind, { options: { actions } })).rejects.toThrow(TypeError)
    expect(() => defineAction('shop/a', undefined as never)).toThrow(TypeError)
  })

  it.each(['shop/a', 'shop/gift-wrap/add-2', 'a/b/c/d/e'])('takes the path %s', (path) => {
    expect(defineAction(path, handler)).toEqual({ path, handler })
  })

  it.each([
    ...[
      '',
      'shop',
      '/shop/a',
      'shop/a/',
      'shop//a',
      'Shop/a',
      'shop/a b',
      'shop/../a',
      'shop/a%2fb',
    ],
    ...['shop/größe', 'shop/-a', 'shop/a--b', 'a/b/c/d/e/f', 'shop/a\n', `shop/${'a'.repeat(300)}`],
    ...['marketingconnect/a', 'shippingconnect/orders/process', 'shop/marketingconnect'],
  ])('refuses the path %j at start-up', (path) => {
    expect(() => defineAction(path, handler)).toThrow(TypeError)
  })
})
