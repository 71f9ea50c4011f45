import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import { partsOf } from '../support/parts.js'
import { linkTo } from './restore/restore-world.js'
import { createProduct } from '../support/products.js'
import { sharedStore } from '../support/shared-store.js'
import { anyKind } from '../support/store.js'
import { shopOrigin, type TestBrowser } from '../support/browser.js'

type Data = Record<string, unknown>

const password = 'green tea, no sugar'

describe('A cart', () => {
  let tea: number
  let site: number
  let guest: TestBrowser

  const store = sharedStore(anyKind)
  beforeAll(async () => {
    const { payload } = store
    const data = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    site = Number((await payload.create({ collection: 'sites', data })).id)
    tea = await createProduct(payload)
  })
  beforeEach(() => {
    guest = store.aBrowser()
  })

  const createUser = async (role = 'customer') => {
    const email = `${randomUUID()}@shop.example`
    const data = { email, password, roles: [role] }
    return { id: Number((await store.payload.create({ collection: 'users', data })).id), email }
  }
  const logIn = async (role?: string) => {
    const { id, email } = await createUser(role)
    const browser = store.aBrowser()
    await browser.apiPost('/users/login', { email, password })
    return { id, browser }
  }
  const leave = async (data: Data = {}) => {
    const items = [{ product: tea, quantity: 2 }]
    const whole = { items, currency: 'USD', site, customerNotes: 'Below the mat', ...data }
    const { id, number, secret } = await store.payload.create({ collection: 'carts', data: whole })
    return { id: Number(id), number: String(number), secret: String(secret) }
  }
  const stored = (id: number): Promise<Data> =>
    store.payload.findByID({ collection: 'carts', id, depth: 0 })
  const write = (collection: string, id: number, data: Data) =>
    store.payload.db.updateOne({ collection, id, data, returning: false })
  const send = (browser: TestBrowser, asked: `${string} /${string}`, body?: unknown) => {
    const [method, path = ''] = asked.split(' ')
    return browser.api(path, {
      method: String(method),
      headers: { 'content-type': 'application/json', origin: shopOrigin },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  const updateCart = '/actions/commerce/cart/update-cart'
  const change = async (parameters: Record<string, string>) =>
    (await (await guest.post(updateCart, parameters, { ajax: true })).json()) as CartSummary

  describe('of an account that nobody can log in to', () => {
    let owner: number
    let cart: Awaited<ReturnType<typeof leave>>

    beforeEach(async () => {
      owner = (await createUser()).id
      cart = await leave({ customer: owner })
      await write('users', owner, { hash: null, salt: null })
      await guest.get(linkTo(cart))
    })

    it('is shown to a guest with its link, and stays without a secret', async () => {
      expect(await change({})).toMatchObject({ id: cart.id, quantity: 2 })
      expect(await stored(cart.id)).toMatchObject({ secret: null, customer: owner })
      const { id } = await guest.session()
      const holder = { sessionId: id, cartId: cart.id, visitor: undefined, site: undefined }
      expect(await partsOf(store.payload).carts?.findForBrowser(holder)).toBeUndefined()
      expect((await guest.api(`/carts/${cart.id}`)).status).toBe(403)
    })

    it('becomes a copy of its lines in the hands of a guest who changes it', async () => {
      const before = await stored(cart.id)
      const copy = await change({ productId: String(tea) })
      expect(copy).toMatchObject({ quantity: 3, currency: 'USD' })
      expect(copy.id).not.toBe(cart.id)
      expect(copy.number).not.toBe(cart.number)
      expect((await guest.session()).cartId).toBe(copy.id)
      expect(await stored(Number(copy.id))).toMatchObject({
        customer: null,
        customerNotes: null,
        secret: expect.stringMatching(/^[\da-f]{40}$/) as string,
      })
      expect(await stored(cart.id)).toEqual(before)
    })

    it('becomes one copy, however many changes come at once', async () => {
      const twins = [guest.copy(), guest.copy(), guest.copy()]
      const answers = await Promise.all(
        twins.map((twin) => twin.post(updateCart, { productId: String(tea) }, { ajax: true })),
      )
      const copies = (await Promise.all(answers.map((answer) => answer.json()))) as CartSummary[]
      expect(new Set(copies.map(({ id }) => id)).size).toBe(1)
      expect(Math.max(...copies.map(({ quantity }) => quantity))).toBe(5)
    })

    it('becomes a copy after the account was deleted, too', async () => {
      await store.payload.delete({ collection: 'users', id: owner })
      expect(await stored(cart.id)).toMatchObject({ customer: null, secret: null })
      await store.aBrowser().get(linkTo(cart))
      expect(await stored(cart.id)).toMatchObject({ secret: null })
      expect((await change({ productId: String(tea) })).id).not.toBe(cart.id)
    })
  })

  it('of an account that a stranger locked with wrong passwords is in nobody else’s hands', async () => {
    const { id: owner, email } = await createUser()
    const cart = await leave({ customer: owner })
    for (let tries = 0; tries < 5; tries += 1) {
      await guest.apiPost('/users/login', { email, password: `guess ${tries}` })
    }
    const where = { email: { equals: email } }
    const account = await store.payload.db.findOne({ collection: 'users', where })
    expect(account).toMatchObject({ lockUntil: expect.any(String) as string })

    const page = await guest.get(linkTo(cart))
    expect(await page.text()).toContain('<h1>Log In</h1>')
    expect((await guest.session()).cartId).toBeUndefined()
    expect(await stored(cart.id)).toMatchObject({ secret: null })
    // Not even if their session names it.
    await guest.changeSession({ cartId: cart.id })
    expect(await change({})).toMatchObject({ id: null, number: null, items: [] })
    const holder = { sessionId: 's', cartId: cart.id, visitor: undefined, site: undefined }
    expect(await partsOf(store.payload).carts?.findForBrowser(holder)).toBeUndefined()
  })

  describe('that has a customer', () => {
    it('opens to nobody with a secret that it still has', async () => {
      const { id, secret } = await leave()
      const owner = await logIn()
      const other = await logIn()
      // As the extension leaves it where it transfers a cart without us.
      await write('carts', id, { customer: owner.id })
      const before = await stored(id)
      expect(before.secret).toBe(secret)
      for (const browser of [guest, other.browser]) {
        const asked = [
          await send(browser, `GET /carts/${id}?secret=${secret}`),
          await send(browser, `PATCH /carts/${id}?secret=${secret}`, { customerNotes: 'Mine' }),
          await send(browser, `PATCH /carts/${id}?secret=${secret}`, { customer: other.id }),
          await send(browser, `DELETE /carts/${id}?secret=${secret}`),
          await send(browser, `POST /carts/${id}/duplicate?secret=${secret}`, {}),
          await send(browser, `POST /carts/${id}/clear`, { secret }),
          await send(browser, `POST /carts/${id}/add-item`, { secret, item: { product: tea } }),
        ]
        for (const { status } of asked) expect([403, 404]).toContain(status)
        const listed = await send(browser, `GET /carts?secret=${secret}`)
        expect(await listed.json()).toMatchObject({ docs: [] })
        await send(browser, `PATCH /carts?where[id][equals]=${id}&secret=${secret}`, {
          customerNotes: 'Mine',
        })
        await send(browser, `DELETE /carts?where[id][equals]=${id}&secret=${secret}`)
      }
      expect(await stored(id)).toEqual(before)
      const own = await send(owner.browser, `GET /carts/${id}?secret=${secret}`)
      expect(own.status).toBe(200)
    })

    it('loses its secret where the extension transfers a guest’s cart, or the store gives it', async () => {
      const [transferred, given] = [await leave(), await leave()]
      const { id: customer, browser } = await logIn()
      const transfer = { customer, secret: null }
      const path = `/carts/${transferred.id}?secret=${transferred.secret}` as const
      expect((await send(browser, `PATCH ${path}`, transfer)).status).toBe(200)
      await store.payload.update({ collection: 'carts', id: given.id, data: { customer } })
      for (const { id } of [transferred, given]) {
        expect(await stored(id)).toMatchObject({ customer, secret: null })
        expect((await send(browser, `GET /carts/${id}`)).status).toBe(200)
      }
    })

    it('is not merged into the cart of who has its old secret', async () => {
      const { id, secret } = await leave()
      await store.payload.update({
        collection: 'carts',
        id,
        data: { customer: (await createUser()).id },
      })
      const other = await logIn()
      const { id: target } = await leave({ customer: other.id })
      const source = { sourceCartID: id, sourceSecret: secret }
      const merged = await send(other.browser, `POST /carts/${target}/merge`, source)
      expect(merged.status).toBe(404)
      expect(await stored(id)).toMatchObject({ items: [{ quantity: 2 }] })
    })
  })

  describe('made or changed through the API', () => {
    /** Each way to write the same id. */
    const spellings: [string, (id: number) => unknown][] = [
      ['a number', (id) => id],
      ['a text', (id) => String(id)],
      ['a document', (id) => ({ id })],
      ['a list', (id) => [id]],
    ]
    const cartsOf = async (customer: number) => {
      const where = { customer: { equals: customer } }
      return (await store.payload.find({ collection: 'carts', where })).docs
    }

    it.each(spellings)('is never somebody else’s, whose id is %s', async (_, spell) => {
      const customer = (await createUser()).id
      const stranger = await logIn()
      const given = { currency: 'USD', customer: spell(customer) }
      const own = await leave({ customer: stranger.id })
      const guests = await leave()
      const key = `secret=${guests.secret}`
      for (const browser of [guest, stranger.browser]) {
        await send(browser, 'POST /carts', { items: [{ product: tea, quantity: 5 }], ...given })
        await send(browser, `PATCH /carts/${guests.id}?${key}`, given)
        await send(browser, `PATCH /carts?where[id][equals]=${guests.id}&${key}`, given)
        await send(browser, `POST /carts/${guests.id}/duplicate?${key}`, given)
      }
      await send(stranger.browser, `PATCH /carts/${own.id}`, given)
      await send(stranger.browser, `POST /carts/${own.id}/duplicate`, given)
      expect(await cartsOf(customer)).toEqual([])
      expect(await stored(own.id)).toMatchObject({ customer: stranger.id })
    })

    it('is a guest’s own where a guest claims another’s, and can be used', async () => {
      const given = { currency: 'USD', customer: (await createUser()).id }
      const made = await guest.apiPost('/carts?depth=0', given)
      expect(made.status).toBe(201)
      const { doc } = (await made.json()) as { doc: { id: number; secret: string } }
      expect((await guest.api(`/carts/${doc.id}?secret=${doc.secret}`)).status).toBe(200)
      expect(await stored(doc.id)).toMatchObject({ customer: null })
    })

    it('stays its customer’s when they let go of it, and is whose an admin says that it is', async () => {
      const { id: customer, browser } = await logIn()
      const { browser: admin } = await logIn('admin')
      const made = await admin.apiPost('/carts?depth=0', { currency: 'USD', customer })
      const { doc } = (await made.json()) as { doc: { id: number } }
      await send(browser, `PATCH /carts/${doc.id}`, { customer: null })
      expect(await stored(doc.id)).toMatchObject({ customer })
      await send(admin, `PATCH /carts/${doc.id}`, { customer: null })
      expect(await stored(doc.id)).toMatchObject({ customer: null })
    })

    it.each(['orders', 'transactions'])('is alone: nobody but an admin makes %s', async (slug) => {
      const { id: customer, browser } = await logIn()
      const email = `${randomUUID()}@shop.example`
      const data = { customer, customerEmail: email, currency: 'USD', amount: 5 }
      for (const stranger of [guest, browser]) {
        expect((await stranger.apiPost(`/${slug}`, data)).status).toBe(403)
      }
    })
  })
})
