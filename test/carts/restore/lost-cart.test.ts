import { describe, expect, it } from 'vitest'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { createProduct, createVariants } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { codeOf, daniel, linkTo, restoreWorld, type StoredCart, zofia } from './restore-world.js'

type Data = Record<string, unknown>

describe.each(databaseKinds)('The link of a cart (%s)', (kind) => {
  const world = restoreWorld(kind)

  const headingOf = async (answer: Response) => /<h1>(.*?)<\/h1>/.exec(await answer.text())?.[1]

  describe('that was merged into the cart of an account', () => {
    const secretOf = async ({ id }: StoredCart) => (await world.stored(id)).secret
    /** As the extension does it when a guest logs in. */
    const merge = async (browser: TestBrowser, source: StoredCart, target: StoredCart) => {
      const posted = { sourceCartID: source.id, sourceSecret: await secretOf(source) }
      const answer = await browser.apiPost(`/carts/${target.id}/merge`, posted)
      expect(answer.status).toBe(200)
    }

    it('leads to that cart: for its customer, and for nobody else', async () => {
      const target = await world.leave({ customer: world.users.zofia })
      const owner = await world.loggedIn(zofia)
      const sources = [await world.leave(), await world.leave()]
      for (const source of sources) await merge(owner, source, target)

      for (const source of sources) {
        const opened = await owner.get(linkTo(source))
        expect(opened.status).toBe(302)
        expect((await owner.session()).cartId).toBe(target.id)
        const guest = world.aBrowser()
        expect(await headingOf(await guest.get(linkTo(source)))).toBe('Log In')
        const other = await world.loggedIn(daniel)
        expect(await headingOf(await other.get(linkTo(source)))).toBe('Log Out to Continue')
        for (const browser of [guest, other]) {
          expect((await browser.session()).cartId).not.toBe(target.id)
        }
      }
      expect(await world.stored(target.id)).toMatchObject({
        items: [{ product: world.product, quantity: 6 }],
      })
    })

    it('leads to the cart into which that one was merged', async () => {
      const owner = await world.loggedIn(zofia)
      const [first, second] = [await world.leave(), await world.leave()]
      const target = await world.leave({ customer: world.users.zofia })
      const between = await world.leave({ customer: world.users.zofia })
      await merge(owner, first, between)
      // As a guest's cart again, which is merged in its turn.
      const secret = '0'.repeat(40)
      const data = { customer: null, secret }
      await world.payload.db.updateOne({ collection: 'carts', id: between.id, data })
      await merge(owner, between, target)
      await merge(owner, second, target)
      for (const { number } of [first, between, second, target]) {
        await owner.changeSession({ cartId: first.id })
        expect((await owner.get(linkTo({ number }))).status).toBe(302)
        expect((await owner.session()).cartId).toBe(target.id)
      }
    })

    it('says that it was bought once that one was', async () => {
      const owner = await world.loggedIn(zofia)
      const source = await world.leave()
      const target = await world.leave({ customer: world.users.zofia })
      await merge(owner, source, target)
      const purchasedAt = new Date().toISOString()
      await world.payload.update({ collection: 'carts', id: target.id, data: { purchasedAt } })
      expect(codeOf(await owner.get(linkTo(source)))).toEqual([400, 'CART_COMPLETED'])
    })
  })

  describe('of which nothing can be bought any more', () => {
    const trashed = { deletedAt: new Date().toISOString() }
    const unpublished = { _status: 'draft' }

    it.each<[string, (product: number) => Promise<unknown>]>([
      ['in the trash', (id) => change('products', id, trashed)],
      ['not published', (id) => change('products', id, unpublished)],
      ['deleted', (id) => world.payload.delete({ collection: 'products', id })],
    ])('says that nothing is left, as its product is %s', async (_, take) => {
      const gone = await createProduct(world.payload)
      const cart = await world.leave({ items: [{ product: gone, quantity: 2 }] })
      const half = await world.leave({
        items: [
          { product: gone, quantity: 2 },
          { product: world.product, quantity: 1 },
        ],
      })
      await take(gone)
      const visitor = world.aBrowser()
      const refused = await visitor.get(linkTo(cart))
      expect(codeOf(refused)).toEqual([400, 'CART_NOTHING_LEFT'])
      expect(await refused.text()).toContain('Nothing in this cart can be bought any more.')
      expect((await visitor.session()).cartId).toBeUndefined()
      expect((await visitor.get(linkTo(half))).status).toBe(302)
    })

    it.each([
      ['in the trash', trashed],
      ['not published', unpublished],
    ])('says that nothing is left, as its variant is %s', async (_, taken) => {
      const { product, variants } = await createVariants(world.payload, [1500, 2500])
      const [gone = 0, there = 0] = variants
      const items = [{ product, variant: gone, quantity: 1 }]
      const cart = await world.leave({ items })
      const half = await world.leave({
        items: [...items, { product, variant: there, quantity: 1 }],
      })
      await change('variants', gone, taken)
      expect(codeOf(await world.open(shopOrigin + linkTo(cart)))).toEqual([
        400,
        'CART_NOTHING_LEFT',
      ])
      expect((await world.open(shopOrigin + linkTo(half))).status).toBe(302)
    })

    it('says so to nobody who may not have the cart, and not of a cart that was empty', async () => {
      const gone = await createProduct(world.payload)
      const items = [{ product: gone, quantity: 2 }]
      const cart = await world.leave({ items, customer: world.users.zofia })
      const empty = await world.leave({ items: [] })
      await change('products', gone, trashed)
      const guest = world.aBrowser()
      expect(await headingOf(await guest.get(linkTo(cart)))).toBe('Log In')
      const owner = await world.loggedIn(zofia)
      expect(codeOf(await owner.get(linkTo(cart)))).toEqual([400, 'CART_NOTHING_LEFT'])
      expect((await guest.get(linkTo(empty))).status).toBe(302)
    })

    const change = (collection: string, id: number, data: Data) =>
      world.payload.db.updateOne({ collection, id, data, returning: false })
  })
})
