import { describe, expect, it } from 'vitest'
import { formAction, formReply } from '../../src/http/form-action.js'
import { createForwards } from '../../src/http/forward.js'
import { createStoreActions, defineAction, type StoreAction } from '../../src/http/store-action.js'
import { Problem } from '../../src/errors.js'
import { ajax, formParts, openDoor, shop } from '../support/open-door.js'
import { openStore } from '../support/store.js'

const build = (actions: StoreAction[]) => createStoreActions({ actions, forms: formParts })

describe("a store's own action", () => {
  // The example of `defineAction`.
  const votes: string[] = []
  const saveVote = (tea: string) => Promise.resolve(void votes.push(tea))
  const vote = defineAction('shop/polls/vote', async ({ parameters, notice, reply }) => {
    await saveVote(String(parameters.tea))
    notice('Thank you for your vote.')
    return reply({ voted: true })
  })

  it('answers forms and scripts, and shows the visitor a notice on the next page', async () => {
    votes.length = 0
    const browser = openDoor({ actions: build([vote]) }).aBrowser()
    const headers = { referer: `${shop}/polls` }
    const form = await browser.post('shop/polls/vote', { tea: 'Assam' }, { headers })
    expect(form.status).toBe(303)
    expect(form.headers.get('location')).toBe(`${shop}/polls`)
    expect(form.headers.getSetCookie()).toHaveLength(1)
    const script = await browser.post('shop/polls/vote', { tea: 'Sencha' }, { headers: ajax })
    expect(await script.json()).toEqual({ voted: true })
    expect(votes).toEqual(['Assam', 'Sencha'])
  })

  it('runs behind the checks of every form', async () => {
    votes.length = 0
    const browser = openDoor({ actions: build([vote]) }).aBrowser()
    expect((await browser.send('/actions/shop/polls/vote')).status).toBe(405)
    const options = { token: 'wrong' }
    expect((await browser.post('shop/polls/vote', { tea: 'x' }, options)).status).toBe(400)
    expect(votes).toEqual([])
  })

  it('can be named in forward', async () => {
    votes.length = 0
    const actions = build([vote])
    const forwards = createForwards({ actions })
    const track = formAction(formParts, (form) => {
      const forward = forwards.find(form.tree)
      return forward?.(form.visit) ?? Promise.resolve(formReply(form, { ajax: 'success' }))
    })
    const browser = openDoor({
      actions: { ...actions, 'marketingconnect/api/track': track },
    }).aBrowser()
    const fields = { forward: 'shop/polls/vote', tea: 'Oolong' }
    const response = await browser.post('marketingconnect/api/track', fields, { headers: ajax })
    expect(await response.json()).toEqual({ voted: true })
    expect(votes).toEqual(['Oolong'])
  })

  it('knows the request, who is logged in and the session, whose cart it may change', async () => {
    const document = { id: 7, email: 'ada@example.com' }
    const look = defineAction('shop/look', async ({ request, user, session, json }) => {
      const before = session.data.cartId
      session.change({ cartId: 12 })
      return json({ url: request.url, user: (await user())?.document, before })
    })
    const browser = openDoor({
      actions: build([look]),
      visitorOf: () =>
        Promise.resolve({
          id: 7,
          collection: 'users',
          profile: () => Promise.resolve({}),
          document,
        }),
    }).aBrowser()
    const url = `${shop}/actions/shop/look`
    expect(await (await browser.post('shop/look')).json()).toEqual({ url, user: document })
    expect(await (await browser.post('shop/look')).json()).toEqual({
      url,
      user: document,
      before: 12,
    })
  })

  it('sends the visitor where it says, else where the form says', async () => {
    const go = defineAction('shop/go', ({ parameters, redirect }) =>
      redirect(parameters.to === undefined ? undefined : String(parameters.to)),
    )
    const { aBrowser, sign } = openDoor({ actions: build([go]) })
    const to = async (fields: Record<string, string>) => {
      const response = await aBrowser().post('shop/go', fields)
      return [response.status, response.headers.get('location')]
    }
    expect(await to({ to: '/cart' })).toEqual([303, '/cart'])
    expect(await to({ to: 'https://pay.example/1' })).toEqual([303, 'https://pay.example/1'])
    expect(await to({ redirect: sign('/thanks') })).toEqual([303, '/thanks'])
    expect(await to({})).toEqual([303, '/'])
    expect(await to({ to: '//evil.example' })).toEqual([500, null])
  })

  it('can refuse with a status of its own', async () => {
    const refuse = defineAction('shop/refuse', () => {
      throw new Problem('PARAMETER_INVALID', { message: 'Choose a tea.' })
    })
    const browser = openDoor({ actions: build([refuse]) }).aBrowser()
    const response = await browser.post('shop/refuse', {}, { headers: ajax })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ errors: [{ message: 'Choose a tea.' }] })
  })

  it('cannot take a path twice', () => {
    expect(() => build([vote, vote])).toThrow(/two actions "shop\/polls\/vote"/)
  })

  it.each(['users/login', 'users/session-info', 'storeconnect/health'])(
    'cannot take %s, which a store has already',
    async (path) => {
      const actions = [defineAction(path, () => new Response())]
      await expect(openStore('sqlite', { options: { actions } })).rejects.toThrow(
        `there are two actions "${path}"`,
      )
    },
  )
})

describe('defineAction', () => {
  it('cannot be passed by', () => {
    const handler = () => new Response()
    expect(() => build([{ path: 'marketingconnect/api/track', handler }])).toThrow(TypeError)
  })

  const handler = () => new Response()

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
