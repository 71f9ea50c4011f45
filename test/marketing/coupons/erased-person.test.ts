import { describe, expect, it } from 'vitest'
import { abandonedCartUrl } from '../../../src/carts/restore-link.js'
import { valueAt } from '../../../src/core/payload/document-value.js'
import type { TestBrowser } from '../../support/browser.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { couponShop } from './coupon-shop.js'

const login = { email: 'zofia@shop.example', password: 'green tea, no sugar' }

describe.each(databaseKinds)('The code of somebody who is erased (%s)', (kind) => {
  const shop = couponShop(kind)

  it('goes from the cart, stays on the order that was bought with it, and is good or used as before', async () => {
    await shop.settle()
    const [onCart = '', onOrder = ''] = shop.standIn.state.coupons.give(2)
    const { id: customer } = await shop.payload.create({ collection: 'users', data: login })
    const items = [{ product: await createProduct(shop.payload), quantity: 2 }]
    const leave = async (data: object) => {
      const cart = { items, currency: 'USD', ...data }
      const { id, number } = await shop.payload.create({
        collection: 'carts',
        data: cart,
        depth: 0,
      })
      return { id, number: String(number) }
    }
    const follow = async (cart: { number: string }, browser: TestBrowser) => {
      const url = await abandonedCartUrl({ payload: shop.payload, cart })
      const { pathname, search } = new URL(url ?? '')
      expect((await browser.get(`${pathname}${search}&code=${onCart}`)).status).toBe(302)
    }
    const codeOf = async (collection: 'carts' | 'orders', id: number | string) => {
      const document = await shop.payload.findByID({ collection, id, depth: 0 })
      return valueAt(document, 'discountCode')
    }

    const browser = shop.aBrowser()
    await browser.apiPost('/users/login', login)
    const cart = await leave({ customer })
    await follow(cart, browser)
    expect(await codeOf('carts', cart.id)).toBe(onCart)
    const paid = { customer, customerEmail: null, discountCode: onOrder }
    const order = await saveOrder(shop.payload, anOrder(paid))
    await shop.settle()
    await shop.parts.erasures.erase(login.email, { orders: 'anonymise', door: 'command' })
    await shop.settle()

    expect(await codeOf('carts', cart.id)).toBeUndefined()
    expect(await codeOf('orders', order.id)).toBe(onOrder)
    expect(await shop.states()).toEqual({ there: 9, told: 1 })
    const another = await leave({})
    await follow(another, shop.aBrowser())
    expect(await codeOf('carts', another.id)).toBe(onCart)
  })
})
