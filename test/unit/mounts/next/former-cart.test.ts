import { expect, it } from 'vitest'
import type { Cart } from '../../../../src/carts/cart.js'
import { createRestoreLinks } from '../../../../src/carts/restore-link.js'
import { formerCart } from '../../../../src/mounts/next/former-cart.js'
import type { CartHolder } from '../../../../src/carts/find-cart.js'
import { aSite } from '../../shop/sites/a-site.js'

const now = () => new Date('2026-03-10T12:00:00Z')
const secret = 'a-secret-of-the-test-store'
const links = createRestoreLinks({}, { secret, now })

const former: Cart = {
  id: 7,
  number: '7'.repeat(32),
  lines: [
    { id: 'a', productId: 1, variantId: undefined, quantity: 2 },
    { id: 'b', productId: 2, variantId: undefined, quantity: 1 },
  ],
  subtotal: 0,
  currency: 'USD',
}
const current: Cart = { ...former, id: 8, number: '8'.repeat(32) }

const site = aSite({ baseUrl: 'https://shop.example/de' })

const page = 'https://shop.example/de/cart'

/** Carts in the visitor's hands, the newest first. */
const cartsOf = (...all: Cart[]) => ({
  find: ({ cartId }: CartHolder) => Promise.resolve(all.find(({ id }) => id === cartId) ?? all[0]),
})

const holder: CartHolder = {
  sessionId: 's',
  cartId: 8,
  formerCartIds: [7],
  visitor: undefined,
  site: undefined,
}

it('says how much the former cart holds, and the link that brings it back', async () => {
  const carts = cartsOf(current, former)
  expect(await formerCart({ carts, links }, holder, page)).toEqual({
    quantity: 3,
    restoreUrl: `/actions/marketingconnect/cart/restore?number=${former.number}`,
  })
})

it.each([
  ['below the site that the page is of', site, '/de/actions/'],
  ['on its own host', { ...site, baseUrl: 'https://else.example/de' }, '/actions/'],
  ['on its host without a site', { ...site, baseUrl: 'shop' }, '/actions/'],
])('keeps the visitor %s', async (_, at, start) => {
  const carts = cartsOf(current, former)
  const found = await formerCart({ carts, links }, { ...holder, site: at }, page)
  expect(found?.restoreUrl.startsWith(start)).toBe(true)
})

it('signs the link where links are signed', async () => {
  const signed = createRestoreLinks({ signedLinks: true }, { secret, now })
  const carts = cartsOf(current, former)
  const found = await formerCart({ carts, links: signed }, holder, page)
  const query = new URL(found?.restoreUrl ?? '', page).searchParams
  const signature = query.get('signature') ?? undefined
  const link = { number: former.number, coupon: undefined, expires: undefined, signature }
  expect(signed.check(link)).toBe('good')
})

it.each([
  ['there was none', { ...holder, formerCartIds: undefined }, cartsOf(current, former)],
  ['it is gone, and another stands in', holder, cartsOf(current)],
  ['it is empty', holder, cartsOf(current, { ...former, lines: [] })],
  ['it is the one that is shown', { ...holder, cartId: 9 }, cartsOf(former)],
])('offers nothing when %s', async (_, asking, carts) => {
  expect(await formerCart({ carts, links }, asking, page)).toBeUndefined()
})
