import { APIError, type CollectionBeforeChangeHook } from 'payload'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linkTo, loginPath, restoreWorld, type StoredCart, zofia } from './restore/restore-world.js'
import { databaseKinds } from '../support/store.js'
import { shopOrigin, type TestBrowser } from '../support/browser.js'

const updateCart = '/actions/commerce/cart/update-cart'

describe.each(databaseKinds)("A guest's cart that the store's hook keeps so, on %s,", (kind) => {
  let refusal: Error
  let cart: StoredCart

  const world = restoreWorld(kind)
  beforeAll(() => {
    const refuse: CollectionBeforeChangeHook = ({ data, operation }) => {
      if (operation === 'update' && data.customer) throw refusal
    }
    world.payload.collections.carts?.config.hooks.beforeChange.push(refuse)
  })

  beforeEach(async () => {
    cart = await world.leave()
    world.log.clear()
  })

  const expectStillTheirs = async (visitor: TestBrowser) => {
    const shown = await visitor.post(updateCart, {}, { ajax: true })
    expect(await shown.json()).toMatchObject({ id: cart.id, quantity: 2 })
    expect(await world.stored(cart.id)).toMatchObject({ customer: null })
    const logged = { level: 50, msg: 'A cart stays a guest’s', cartId: cart.id }
    expect(world.log.lines()).toContainEqual(expect.objectContaining(logged))
    expect(world.log.text()).not.toContain(cart.number)
  }

  it.each([
    ['an error of its own', new Error('No more than one cart.')],
    ['a refusal', new APIError('No more than one cart.', 400)],
  ])('costs nobody the login or the cart, and comes back all the same, by %s', async (_, error) => {
    refusal = error
    const visitor = world.aBrowser()
    await visitor.changeSession({ cartId: cart.id })
    const { id } = await visitor.session()
    expect((await visitor.post(loginPath, zofia)).status).toBe(303)
    expect(visitor.cookies.has('payload-token')).toBe(true)
    expect((await visitor.session()).id).not.toBe(id)
    await expectStillTheirs(visitor)

    const customer = await world.loggedIn(zofia)
    const response = await customer.get(linkTo(cart))
    expect(response.headers.get('location')).toBe(`${shopOrigin}/cart`)
    await expectStillTheirs(customer)
  })
})
