import { beforeAll, describe, expect, it } from 'vitest'
import type { CollectionBeforeChangeHook, Config } from 'payload'
import type { Handle } from '../../../src/core/http/reply.js'
import { abandonedCartUrl, restorePath } from '../../../src/carts/restore-link.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import type { RestoreOptions } from '../../../src/carts/restore-options.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { shopOrigin } from '../../support/browser.js'
import { codeOf, linkTo, restoreWorld } from './restore-world.js'

const number = '0123456789abcdef0123456789abcdef'
const noSites: StoreConnectOptions = { mapSite: () => undefined }
const fail = () => {
  throw new Error('The table of codes is gone.')
}

describe('A restore link', () => {
  const world = restoreWorld(anyKind)

  /** The same shop, with other options. */
  const shopWith = (
    restore: RestoreOptions,
    options: StoreConnectOptions = {},
    config: Partial<Config> = {},
  ): Promise<TestStore> => world.join({ options: { ...options, restore }, config })
  const open = (handle: Handle, url: string | undefined) => handle(new Request(url ?? ''))
  const cartOf = (id: number) => world.payload.findByID({ collection: 'carts', id, depth: 0 })

  describe('by abandonedCartUrl()', () => {
    it("is on the cart's own site", async () => {
      const { payload } = world
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
      const { payload, handle } = world
      const { id, number } = await world.leave({ site: world.sites.german })
      const link = await abandonedCartUrl({ payload, cart: await cartOf(id), coupon: 'TEA-10' })
      expect(link).toMatch(new RegExp(`\\?number=${number}&coupon=TEA-10$`))
      expect((await open(handle, link)).headers.get('location')).toBe(`${shopOrigin}/de/korb`)
      await expect(
        abandonedCartUrl({ payload, cart: { number }, coupon: 'x'.repeat(65) }),
      ).rejects.toThrow(TypeError)
    })

    it('is on the primary site for a cart without a site, or whose site is gone, and none without a number', async () => {
      const { payload } = world
      for (const site of [undefined, null, 987_654]) {
        const link = await abandonedCartUrl({ payload, cart: { number, site } })
        expect(link).toBe(shopOrigin + linkTo({ number }))
      }
      for (const cart of [{}, { number: null }]) {
        expect(await abandonedCartUrl({ payload, cart })).toBeUndefined()
      }
    })

    it.each<[string, string, StoreConnectOptions, string | undefined]>([
      ['the primary site', '', {}, shopOrigin],
      ['the site of serverURL', 'https://trade.example', {}, 'https://trade.example'],
      ['serverURL without sites', 'https://other.example', noSites, 'https://other.example'],
      ['nothing without sites and serverURL', '', noSites, undefined],
    ])('hangs off %s, wherever the store runs', async (...row) => {
      const [, serverURL, options, origin] = row
      const { payload } = await shopWith({}, options, { serverURL })
      const link = await abandonedCartUrl({ payload, cart: { number } })
      expect(link).toBe(origin && origin + linkTo({ number }))
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
      const visitor = shop.aBrowser()
      await visitor.get(path ?? '')
      expect((await visitor.session()).returnUrl).toBe(path)
    })

    it('still says first that the number is missing', async () => {
      const response = await open(shop.handle, `${shopOrigin}/actions/${restorePath}`)
      expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
    })
  })

  it('stops working after the days that it was given', async () => {
    const shop = await world.join({ options: { restore: { linkDays: 30 } } })
    const { id } = await world.leave()
    const link = await abandonedCartUrl({ payload: shop.payload, cart: await cartOf(id) })
    expect((await open(shop.handle, link)).status).toBe(302)
    world.move(31 * 24 * 60 * 60 * 1000)
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
      // A store that accepts none ignores it, and one that does not accept this one leaves it out.
      const other = await world.leave()
      await world.aBrowser().get(linkTo(other, { coupon: 'TEA-10' }))
      expect(await follow(other, 'TEA-99')).toBe(302)
      expect((await cartOf(other.id)).discountCode).toBeNull()
    })

    it.each(['acceptCoupon', 'hook of carts'])(
      "costs nobody the cart when the store's %s fails",
      async (what) => {
        const acceptCoupon = what === 'acceptCoupon' ? fail : () => true
        const failing = await shopWith({ acceptCoupon })
        const hook: CollectionBeforeChangeHook = ({ data }) => void (data.discountCode && fail())
        failing.payload.collections.carts?.config.hooks.beforeChange.push(hook)
        const cart = await world.leave()
        const visitor = failing.aBrowser()
        world.log.clear()
        const response = await visitor.get(linkTo(cart, { coupon: 'COME-BACK-10' }))
        expect(response.headers.get('location')).toBe(`${shopOrigin}/cart`)
        expect((await visitor.session()).cartId).toBe(cart.id)
        expect(await world.stored(cart.id)).toMatchObject({ discountCode: null })
        const logged = { level: 50, msg: 'Coupon not written', cartId: cart.id }
        expect(world.log.lines()).toContainEqual(expect.objectContaining(logged))
        expect(world.log.text()).toContain('The table of codes is gone.')
        expect(world.log.text()).not.toContain(cart.number)
      },
    )

    it.each(['', ' ', 'x'.repeat(65), 'TEA\n10', 'TEA-10'])(
      'is not asked about when it is none, or before the cart may be restored: %j',
      async (coupon) => {
        const cart = await world.leave(coupon === 'TEA-10' ? { customer: world.users.zofia } : {})
        const before = accepted.length
        expect(await follow(cart, coupon)).toBe(coupon === 'TEA-10' ? 200 : 302)
        expect(accepted).toHaveLength(before)
      },
    )

    it('writes it on a cart that holds something that is not sold any more', async () => {
      const { payload } = world
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
