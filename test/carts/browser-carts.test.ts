import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import type { Visitor } from '../../src/core/http/visit.js'
import { captureLog } from '../support/captured-log.js'
import { createProduct } from '../support/products.js'
import { sharedStore } from '../support/shared-store.js'
import { anyKind } from '../support/store.js'

describe('The cart that a browser may keep', () => {
  const log = captureLog()
  let tea: number

  const store = sharedStore(anyKind, { config: log.config })
  beforeAll(async () => {
    tea = await createProduct(store.payload)
  })

  const createUser = async (): Promise<Visitor> => {
    const data = { email: `${randomUUID()}@shop.example`, password: 'green tea, no sugar' }
    const document = await store.payload.create({ collection: 'users', data })
    return {
      id: document.id,
      collection: 'users',
      document: { ...document },
    }
  }
  const createCart = async (data: Record<string, unknown> = {}) => {
    const items = [{ product: tea, quantity: 1 }]
    const cart = await store.payload.create({
      collection: 'carts',
      data: { items, currency: 'USD', ...data },
    })
    return { id: cart.id, secret: cart.secret as string | null }
  }
  const keptBy = (cartId: number | string | undefined, visitor?: Visitor) =>
    partsOf(store.payload).carts?.findForBrowser({
      sessionId: 's',
      cartId,
      visitor,
      site: undefined,
    })

  it("is a guest's with its secret, also for a customer whose it is not yet", async () => {
    const { id, secret } = await createCart()
    expect(secret).toMatch(/^[\da-f]{40}$/)
    expect(await keptBy(id)).toEqual({ id, secret })
    expect(await keptBy(id, await createUser())).toEqual({ id, secret })
    expect(log.text()).not.toContain(secret)
  })

  it("is a customer's own without any secret", async () => {
    const visitor = await createUser()
    const { id } = await createCart({ customer: visitor.id, secret: 'from before' })
    for (const cartId of [id, undefined]) expect(await keptBy(cartId, visitor)).toEqual({ id })
  })

  it("is none of an account's that lets nobody in", async () => {
    const { id: customer } = await createUser()
    const { id } = await createCart({ customer, secret: 'given back' })
    const where = { id: { equals: customer } }
    await store.payload.db.updateOne({ collection: 'users', where, data: { hash: null } })
    expect(await keptBy(id)).toBeUndefined()
  })

  it('is none that is completed, deleted or somebody else’s', async () => {
    const { id: customer } = await createUser()
    const other = await createUser()
    const completed = await createCart({ purchasedAt: new Date().toISOString() })
    const theirs = await createCart({ customer })
    const deleted = await createCart()
    await store.payload.delete({ collection: 'carts', id: deleted.id })
    for (const { id } of [completed, theirs, deleted]) {
      expect(await keptBy(id)).toBeUndefined()
      expect(await keptBy(id, other)).toBeUndefined()
    }
  })
})
