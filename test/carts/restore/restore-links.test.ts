import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from 'payload'
import type { Handle } from '../../../src/http/front-door.js'
import { abandonedCartUrl } from '../../../src/installation.js'
import { restorePath } from '../../../src/carts/restore-link.js'
import type { StoreConnectOptions } from '../../../src/options.js'
import type { RestoreOptions } from '../../../src/carts/restore-options.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { openVisitorBrowser, shopOrigin } from '../../support/visitor-browser.js'
import { codeOf, linkTo, openRestoreWorld, type RestoreWorld } from './restore-world.js'

describe('A restore link', () => {
  let world: RestoreWorld

  beforeAll(async () => {
    world = await openRestoreWorld(anyKind)
  })
  afterAll(() => world.close())

  /** The same shop, with other options. */
  const shopWith = (
    restore: RestoreOptions,
    options: StoreConnectOptions = {},
    config: Partial<Config> = {},
  ): Promise<TestStore> => world.join({ ...options, restore }, { config })
  const open = (handle: Handle, url: string | undefined) => handle(new Request(url ?? ''))
  const cartOf = (id: number) => world.store.payload.findByID({ collection: 'carts', id, depth: 0 })

  describe('by abandonedCartUrl()', () => {
    it("is on the cart's own site", async () => {
      const { payload } = world.store
      const { id, number } = await world.leave({ site: world.sites.german })
      const expected = `${shopOrigin}/de/actions/${restorePath}?number=${number}`
      expect(await abandonedCartUrl({ payload, cart: await cartOf(id) })).toBe(expected)
      const populated = await payload.findByID({ collection: 'carts', id, depth: 1 })
      expect(await abandonedCartUrl({ payload, cart: populated })).toBe(expected)
      expect(await abandonedCartUrl({ payload, cart: { number, site: world.sites.german } })).toBe(
        expected,
      )
    })

    it('works, and carries a coupon', async () => {
      const { payload, handle } = world.store
      const { id, number } = await world.leave({ site: world.sites.german })
      const link = await abandonedCartUrl({ payload, cart: await cartOf(id), coupon: 'TEA-10' })
      expect(link).toMatch(new RegExp(`\\?number=${number}&coupon=TEA-10$`))
      expect((await open(handle, link)).headers.get('location')).toBe(`${shopOrigin}/de/korb`)
      await expect(
        abandonedCartUrl({ payload, cart: { number }, coupon: 'x'.repeat(65) }),
      ).rejects.toThrow(TypeError)
    })

    it('is on the primary site for a cart without a site, or whose site is gone', async () => {
      const { payload } = world.store
      const number = '0123456789abcdef0123456789abcdef'
      for (const site of [undefined, null, 987_654]) {
        expect(await abandonedCartUrl({ payload, cart: { number, site } })).toBe(
          shopOrigin + linkTo({ number }),
        )
      }
    })

    it('is on the primary site, or the one of serverURL, wherever the store runs', async () => {
      const number = '0123456789abcdef0123456789abcdef'
      const nowhere = await shopWith({}, {}, { serverURL: '' })
      expect(await abandonedCartUrl({ payload: nowhere.payload, cart: { number } })).toBe(
        shopOrigin + linkTo({ number }),
      )
      const trade = await shopWith({}, {}, { serverURL: 'https://trade.example' })
      expect(await abandonedCartUrl({ payload: trade.payload, cart: { number } })).toBe(
        `https://trade.example${linkTo({ number })}`,
      )
    })

    it('hangs off serverURL in a store without sites, and off nothing where that is blank', async () => {
      const number = '0123456789abcdef0123456789abcdef'
      const mapSite = () => undefined
      const server = await shopWith({}, { mapSite }, { serverURL: 'https://other.example' })
      expect(await abandonedCartUrl({ payload: server.payload, cart: { number } })).toBe(
        `https://other.example${linkTo({ number })}`,
      )
      const blank = await shopWith({}, { mapSite }, { serverURL: '' })
      expect(await abandonedCartUrl({ payload: blank.payload, cart: { number } })).toBeUndefined()
    })

    it('is none for a cart without a number', async () => {
      const { payload } = world.store
      expect(await abandonedCartUrl({ payload, cart: {} })).toBeUndefined()
      expect(await abandonedCartUrl({ payload, cart: { number: null } })).toBeUndefined()
    })
  })

  describe('that is signed', () => {
    let shop: TestStore
    beforeAll(async () => {
      shop = await shopWith({ signedLinks: true })
    })

    it('restores the cart', async () => {
      const { id, number } = await world.leave()
      const link = await abandonedCartUrl({ payload: shop.payload, cart: await cartOf(id) })
      expect(link).toMatch(new RegExp(`\\?number=${number}&signature=[\\w-]{43}$`))
      const response = await open(shop.handle, link)
      expect(response.headers.get('location')).toBe(`${shopOrigin}/cart`)
    })

    it('keeps its signature on the way to another site and through the login', async () => {
      const { id } = await world.leave({ site: world.sites.german })
      const link =
        (await abandonedCartUrl({
          payload: shop.payload,
          cart: await cartOf(id),
          coupon: 'A B',
        })) ?? ''
      const moved = await open(shop.handle, link.replace('/de/', '/'))
      expect(moved.headers.get('location')).toBe(`${link}&moved=1`)

      const theirs = await world.leave({ customer: world.users.zofia })
      const path = (
        await abandonedCartUrl({ payload: shop.payload, cart: await cartOf(theirs.id) })
      )?.slice(shopOrigin.length)
      const visitor = openVisitorBrowser(shop.handle)
      await visitor.get(path ?? '')
      expect((await visitor.session()).returnUrl).toBe(path)
    })

    it('answers alike for a cart that is there and one that is not, when nobody signed', async () => {
      const cart = await world.leave()
      const completed = await world.leave({ purchasedAt: new Date().toISOString() })
      const unknown = { number: '0123456789abcdef0123456789abcdef' }
      const pages = await Promise.all(
        [cart, completed, unknown].map(async (named) => {
          const response = await open(shop.handle, shopOrigin + linkTo(named, { signature: 'x' }))
          expect(codeOf(response)).toEqual([404, 'CART_NOT_FOUND'])
          return (await response.text()).replace(/404 · [\w-]+/, '')
        }),
      )
      expect(new Set(pages).size).toBe(1)
    })

    it('still says first that the number is missing', async () => {
      const response = await open(shop.handle, `${shopOrigin}/actions/${restorePath}`)
      expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
    })
  })

  it('stops working after the days that it was given', async () => {
    let passedMs = 0
    const effects = { now: () => new Date(Date.now() + passedMs) }
    const shop = await world.join({ restore: { linkDays: 30 } }, { effects })
    const { id } = await world.leave()
    const link = await abandonedCartUrl({ payload: shop.payload, cart: await cartOf(id) })
    expect((await open(shop.handle, link)).status).toBe(302)
    passedMs = 31 * 24 * 60 * 60 * 1000
    expect(codeOf(await open(shop.handle, link))).toEqual([400, 'LINK_EXPIRED'])
  })

  describe('with a coupon', () => {
    const accepted: { code: string; number: string }[] = []
    let shop: TestStore
    beforeAll(async () => {
      shop = await shopWith({
        acceptCoupon: (coupon) => {
          accepted.push(coupon)
          return coupon.code === 'TEA-10'
        },
      })
    })

    const follow = async (cart: { number: string }, coupon: string) => {
      const response = await open(shop.handle, shopOrigin + linkTo(cart, { coupon }))
      return response.status
    }

    it('writes it on the cart when the store accepts it, and once', async () => {
      const cart = await world.leave()
      await follow(cart, 'TEA-10')
      expect(accepted.at(-1)).toEqual({ code: 'TEA-10', number: cart.number })
      const written = await cartOf(cart.id)
      expect(written).toMatchObject({ discountCode: 'TEA-10', items: [{ quantity: 2 }] })
      await follow(cart, 'TEA-10')
      expect(await cartOf(cart.id)).toEqual(written)
    })

    it('restores the cart without it when the store does not accept it', async () => {
      const cart = await world.leave()
      expect(await follow(cart, 'TEA-99')).toBe(302)
      expect((await cartOf(cart.id)).discountCode).toBeNull()
    })

    it.each(['', ' ', 'x'.repeat(65), 'TEA\n10'])('ignores what is none: %j', async (coupon) => {
      const cart = await world.leave()
      const before = accepted.length
      expect(await follow(cart, coupon)).toBe(302)
      expect(accepted).toHaveLength(before)
    })

    it('is not asked about before the cart may be restored', async () => {
      const cart = await world.leave({ customer: world.users.zofia })
      const before = accepted.length
      expect(await follow(cart, 'TEA-10')).toBe(200)
      expect(accepted).toHaveLength(before)
    })

    it('is ignored by a store that accepts none', async () => {
      const cart = await world.leave()
      await world.browser().get(linkTo(cart, { coupon: 'TEA-10' }))
      expect((await cartOf(cart.id)).discountCode).toBeNull()
    })

    it('writes it on a cart that holds something that is not sold any more', async () => {
      const { payload } = world.store
      const gone = await payload.create({
        collection: 'products',
        data: { title: 'Gone', priceInUSD: 100, _status: 'published' },
      })
      const items = [
        { product: gone.id, quantity: 1 },
        { product: world.product, quantity: 2 },
      ]
      const cart = await world.leave({ items })
      await payload.delete({ collection: 'products', id: gone.id })
      expect(await follow(cart, 'TEA-10')).toBe(302)
      const written = await cartOf(cart.id)
      expect(written).toMatchObject({ discountCode: 'TEA-10', items: [{ quantity: 2 }] })
    })
  })
})
