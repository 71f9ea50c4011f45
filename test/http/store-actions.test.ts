import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '../../src/errors.js'
import { defineAction } from '../../src/http/store-action.js'
import { ajax, openDoor, shop, type TestDoor } from '../support/open-door.js'

describe("a store's own action", () => {
  let door: TestDoor
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
  const refuse = defineAction('shop/refuse', () => {
    throw new Problem('PARAMETER_INVALID', { message: 'Choose a tea.' })
  })

  beforeAll(async () => {
    door = await openDoor({ actions: [vote, look, go, refuse] })
  })
  afterAll(() => door.close())
  beforeEach(() => void votes.splice(0))

  it('answers forms and scripts, and shows the visitor a notice on the next page', async () => {
    const browser = door.aBrowser()
    const headers = { referer: `${shop}/polls` }
    const form = await browser.post('shop/polls/vote', { tea: 'Assam' }, { headers })
    expect(form.status).toBe(303)
    expect(form.headers.get('location')).toBe(`${shop}/polls`)
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({
      notices: [{ kind: 'notice', text: 'Thank you for your vote.' }],
    })
    const script = await browser.post('shop/polls/vote', { tea: 'Sencha' }, { headers: ajax })
    expect(await script.json()).toEqual({ voted: true })
    expect(votes).toEqual(['Assam', 'Sencha'])
  })

  it('runs behind the checks of every form', async () => {
    const browser = door.aBrowser()
    expect((await browser.send('/actions/shop/polls/vote')).status).toBe(405)
    const options = { token: 'wrong' }
    expect((await browser.post('shop/polls/vote', { tea: 'x' }, options)).status).toBe(400)
    expect(votes).toEqual([])
  })

  it('knows the request, who is logged in and the session, whose cart it may change', async () => {
    const user = { email: 'ada@shop.example', password: 'difference engine' }
    await door.payload.create({ collection: 'users', data: user })
    const browser = door.aBrowser()
    const url = `${shop}/actions/shop/look`
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
    expect(await to({ redirect: door.sign('/thanks') })).toEqual([303, '/thanks'])
    expect(await to({})).toEqual([303, '/'])
    expect(await to({ to: '//evil.example' })).toEqual([500, null])
  })

  it('can refuse with a status of its own', async () => {
    const response = await door.aBrowser().post('shop/refuse', {}, { headers: ajax })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ errors: [{ message: 'Choose a tea.' }] })
  })

  it.each(['users/login', 'users/session-info', 'storeconnect/health', 'shop/polls/vote'])(
    'cannot take %s, which a store has already',
    async (path) => {
      const actions = [vote, defineAction(path, () => new Response())]
      await expect(openDoor({ actions })).rejects.toThrow(`there are two actions "${path}"`)
    },
  )
})

describe('defineAction', () => {
  const handler = () => new Response()

  it('cannot be passed by', async () => {
    const actions = [{ path: 'marketingconnect/api/track', handler }]
    await expect(openDoor({ actions })).rejects.toThrow(TypeError)
  })

  it.each(['shop/a', 'shop/gift-wrap/add-2', 'a/b/c/d/e'])('takes the path %s', (path) => {
    expect(defineAction(path, handler)).toEqual({ path, handler })
  })

  it.each([
    '',
    'shop',
    '/shop/a',
    'shop/a/',
    'shop//a',
    'Shop/a',
    'shop/a b',
    'shop/../a',
    'shop/a%2fb',
    'shop/größe',
    'shop/-a',
    'shop/a--b',
    'a/b/c/d/e/f',
    'shop/a\n',
    'marketingconnect/a',
    'shippingconnect/orders/process',
    'shop/marketingconnect',
    `shop/${'a'.repeat(300)}`,
  ])('refuses the path %j at start-up', (path) => {
    expect(() => defineAction(path, handler)).toThrow(TypeError)
  })

  it('refuses an action without a handler', () => {
    expect(() => defineAction('shop/a', undefined as never)).toThrow(TypeError)
  })
})
