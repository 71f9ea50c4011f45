import { expect, it } from 'vitest'
import {
  readRestoreRequest,
  withCampaign,
  decideByPlace,
  type PlaceFacts,
} from '../../../../src/carts/restore/restore-request.js'
import type { AbandonedCart } from '../../../../src/carts/restore/abandoned-carts.js'
import { aSite } from '../../shop/sites/a-site.js'

const number = '0123456789abcdef0123456789abcdef'

it('a restore link keeps ten parameters of a campaign, of 200 characters each', () => {
  const names = Array.from({ length: 12 }, (_, index) => `utm_x${index}`)
  const { campaign } = readRestoreRequest({
    number,
    utm_long: 'x'.repeat(201),
    utm_list: ['a'],
    utm_blank: '',
    utm_most: 'x'.repeat(200),
    ...Object.fromEntries(names.map((name) => [name, '1'])),
  })
  expect(campaign.map(([name]) => name)).toEqual(['utm_most', ...names.slice(0, 9)])
})

it('withCampaign adds to the query of a URL, before its hash, and nothing when there is none', () => {
  const url = 'https://shop.example/cart?a=%20#b'
  expect(withCampaign(url, { campaign: [] })).toBe(url)
  const campaign = [['utm_source', 'mail & more']] as const
  expect(withCampaign('https://shop.example/cart?a=1#b', { campaign })).toBe(
    'https://shop.example/cart?a=1&utm_source=mail+%26+more#b',
  )
})

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
  ['sites of which none fits', { ...noSite, cartSite: undefined }, refuse('CART_URL_MISSING')],
  [
    'a store without sites',
    { ...noSite, cartSite: undefined, homeCartUrl: 'https://shop.example/checkout' },
    goOn('https://shop.example/checkout'),
  ],
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
