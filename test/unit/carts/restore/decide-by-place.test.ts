import { expect, it } from 'vitest'
import { decideByPlace, type PlaceFacts } from '../../../../src/carts/restore/decide-by-place.js'
import type { AbandonedCart } from '../../../../src/carts/restore/abandoned-carts.js'
import { aSite } from '../../shop/sites/a-site.js'

const cart: AbandonedCart = {
  id: 7,
  number: '0123456789abcdef0123456789abcdef',
  siteId: 1,
  customerId: undefined,
  isRestored: false,
  isShared: false,
  isSpent: false,
}

const here = aSite({ primary: true, store: 'tea' })
const german = aSite({ id: 2, baseUrl: 'https://shop.example/de', store: 'tea' })
const trade = aSite({ id: 3, baseUrl: 'https://trade.example', store: 'trade' })

const decide = (facts: Partial<PlaceFacts>) =>
  decideByPlace({ cart, current: here, cartSite: here, hasMoved: false, ...facts })

const refuse = (code: string) => ({ do: 'refuse', code })
const goOn = (cartUrl: string) => ({ do: 'goOn', cart, cartUrl })
const nowhere = { baseUrl: 'junk' }
const noSite = { current: undefined }

it.each<[what: string, Partial<PlaceFacts>, object]>([
  [
    'a cart of another site, after a move',
    { cartSite: german, hasMoved: true },
    goOn('https://shop.example/de/cart'),
  ],
  [
    'a cart of another site that is nowhere',
    { cartSite: { ...german, ...nowhere, cartUrl: 'https://shop.example/korb' } },
    goOn('https://shop.example/korb'),
  ],
  [
    'a cart of another store that is nowhere',
    { cartSite: { ...trade, ...nowhere } },
    refuse('CART_OF_OTHER_STORE'),
  ],
  [
    'a cart of a store, where no site is the current one',
    { ...noSite, cartSite: trade, hasMoved: true },
    refuse('CART_OF_OTHER_STORE'),
  ],
  [
    'a cart of the only store, where no site is the current one',
    { ...noSite, cartSite: { ...german, store: '' }, hasMoved: true },
    goOn('https://shop.example/de/cart'),
  ],
  ['a store without sites', { ...noSite, cartSite: undefined }, refuse('CART_URL_MISSING')],
  ['no Cart URL', { cartSite: { ...here, cartUrl: '' } }, refuse('CART_URL_MISSING')],
  ['a Cart URL elsewhere', { cartSite: { ...here, cartUrl: '//x' } }, refuse('CART_URL_MISSING')],
  [
    'another site without a Cart URL, which tells so itself',
    { cartSite: { ...german, cartUrl: '' } },
    { do: 'move', site: { ...german, cartUrl: '' } },
  ],
])('a restore answers %s', (_, facts, expected) => {
  expect(decide(facts)).toEqual(expected)
})
