import type { CollectionBeforeChangeHook } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkTo, openRestoreWorld, type RestoreWorld } from './restore-world.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { openVisitorBrowser, shopOrigin } from '../../support/visitor-browser.js'

const fail = () => {
  throw new Error('The table of codes is gone.')
}

describe('A coupon that cannot be written', () => {
  let world: RestoreWorld
  beforeAll(async () => {
    world = await openRestoreWorld(anyKind)
  })
  afterAll(() => world.close())

  const expectCartWithoutCoupon = async (shop: TestStore) => {
    const cart = await world.leave()
    const visitor = openVisitorBrowser(shop.handle)
    world.log.clear()
    const response = await visitor.get(linkTo(cart, { coupon: 'COME-BACK-10' }))
    expect([response.status, response.headers.get('location')]).toEqual([302, `${shopOrigin}/cart`])
    expect((await visitor.session()).cartId).toBe(cart.id)
    expect(await world.stored(cart.id)).toMatchObject({ discountCode: null })
    const logged = { level: 50, msg: 'Coupon not written', cartId: cart.id }
    expect(world.log.lines()).toContainEqual(expect.objectContaining(logged))
    expect(world.log.text()).toContain('The table of codes is gone.')
    expect(world.log.text()).not.toContain(cart.number)
  }

  it("costs nobody the cart when the store's acceptCoupon fails", async () => {
    await expectCartWithoutCoupon(await world.join({ restore: { acceptCoupon: fail } }))
  })

  it("costs nobody the cart when a hook of the store's carts fails", async () => {
    const shop = await world.join({ restore: { acceptCoupon: () => true } })
    const hook: CollectionBeforeChangeHook = ({ data }) => {
      if (data.discountCode) fail()
    }
    shop.payload.collections.carts?.config.hooks.beforeChange.push(hook)
    await expectCartWithoutCoupon(shop)
  })
})
