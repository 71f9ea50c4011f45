import { beforeEach, describe, expect, it } from 'vitest'
import { finishOrder } from '../../../src/shop/payments/finish-order.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { apiOf } from '../../support/api-of.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds, type TestStore } from '../../support/store.js'
import { dieAt } from './die-at.js'
import { createPaymentProvider } from './payment-provider.js'

type Data = Record<string, unknown>

const minute = 60_000

const days = Number(process.env.SHOP_DAYS ?? 7)

/** More statements than a confirmation has. */
const mostStatements = 200

describe.each(databaseKinds)('An order that its shopper did not finish (%s)', (kind) => {
  const provider = createPaymentProvider()
  const shop = eventShop(kind, {
    cleared: ['transactions', 'carts', 'products'],
    payment: provider.adapter,
    options: { payments: { asked: ['demo'] } },
  })
  let product: number
  beforeEach(async () => {
    provider.leave(false)
    // The payments of the test before had the same ids.
    await shop.payload.kv.delete('storeconnect:payments')
    product = await createProduct(shop.payload, { inventory: 1000 })
  })

  interface Begun {
    payment: number
    note: string
    cart: { id: number; number: string; secret: string }
    /** The shopper comes back from paying. */
    comeBack: () => Promise<Response>
  }

  const customerEmail = 'ada@example.com'
  const aCart = async () => {
    const data = { items: [{ product, quantity: 2 }], currency: 'USD' }
    return (await shop.payload.create({ collection: 'carts', data })) as unknown as Begun['cart']
  }
  async function begin(given?: Begun['cart']): Promise<Begun> {
    const cart = given ?? (await aCart())
    const purchase = { cartID: cart.id, secret: cart.secret, customerEmail }
    const browser = shop.aBrowser()
    const answer = await browser.apiPost('/payments/demo/initiate', purchase)
    expect(answer.status, await answer.clone().text()).toBe(200)
    const begun = (await answer.json()) as { note: string; transactionID: number }
    return {
      payment: begun.transactionID,
      note: begun.note,
      cart,
      comeBack: () =>
        browser.apiPost('/payments/demo/confirm-order', { ...purchase, note: begun.note }),
    }
  }
  async function pay(given?: Begun['cart']): Promise<Begun> {
    const begun = await begin(given)
    provider.pay(begun.note)
    return begun
  }
  const finish = ({ payment }: Begun, { payload }: Pick<TestStore, 'payload'> = shop) =>
    finishOrder({ payload, payment })
  const press = async ({ payment }: Begun) =>
    apiOf(shop)(`/storeconnect/finish-order/${payment}`, { as: 'admin', body: {} })
  const read = async (collection: string, id: number) =>
    (await shop.payload.findByID({ collection, id, depth: 0 })) as unknown as Data
  const ordersOf = async ({ payment }: Begun) => {
    const where = { transactions: { equals: payment } }
    return (await shop.payload.find({ collection: 'orders', where, depth: 0 })).docs
  }
  const placed = async () =>
    (await shop.events()).filter(({ name }) => name === 'Placed Order').length
  const matters = async () =>
    (await shop.parts.alerts.matters()).open
      .filter(({ name }) => ['paidNoOrder', 'paidTwice', 'unpaidOrders'].includes(name))
      .map(({ name, facts }) => [name, facts.payments?.map(({ id }) => id)])
  const change = (collection: string, id: number, data: Data) =>
    shop.payload.update({ collection, id, data })

  it('is made by the webhook, once, and complete', async () => {
    const begun = await pay()
    const first = await finish(begun)
    expect(first).toMatchObject({ is: 'made' })
    // The provider repeats itself, and comes late; then the shopper comes back.
    expect(await finish(begun)).toEqual({ ...first, is: 'there' })
    expect((await begun.comeBack()).status).toBe(200)
    const [order, ...others] = await ordersOf(begun)
    expect(others).toEqual([])
    expect(order).toMatchObject({
      ...{ number: begun.cart.number, customerEmail, amount: 2500, status: 'processing' },
      items: [{ name: 'Green tea', sku: 'TEA-1', unitPrice: 1250, quantity: 2 }],
    })
    expect(await read('transactions', begun.payment)).toMatchObject({
      status: 'succeeded',
      order: order?.id,
    })
    expect(await read('carts', begun.cart.id)).toMatchObject({ status: 'purchased' })
    expect(await read('products', product)).toMatchObject({ inventory: 998 })
    expect(await placed()).toBe(1)
  })

  it('is made by the button, for admins alone', async () => {
    const begun = await pay()
    const ask = apiOf(shop)
    for (const as of [undefined, 'customer', 'editor'] as const) {
      const path = `/storeconnect/finish-order/${begun.payment}`
      expect((await ask(path, { as, body: {} })).status).toBe(403)
    }
    expect(await ordersOf(begun)).toEqual([])
    expect(await (await press(begun)).json()).toMatchObject({ is: 'made' })
    expect(await ordersOf(begun)).toHaveLength(1)
  })

  it('is made for a customer, who is its customer', async () => {
    const customer = await shop.payload.create({
      collection: 'users',
      data: { email: `kim-${kind}@example.com`, password: 'a-password', roles: ['customer'] },
    })
    const begun = await pay()
    await change('transactions', begun.payment, { customer: customer.id, customerEmail: null })
    await change('carts', begun.cart.id, { customer: customer.id })
    expect(await finish(begun)).toMatchObject({ is: 'made' })
    expect(await ordersOf(begun)).toMatchObject([{ customer: customer.id }])
  })

  it('is not made of what was not paid, or while the provider cannot be asked', async () => {
    const begun = await begin()
    const untouched = await read('transactions', begun.payment)
    await expect(finish(begun)).rejects.toMatchObject({ code: 'ORDER_NOT_FINISHED' })
    const pressed = await press(begun)
    expect(pressed.status).toBe(409)
    expect(await pressed.text()).toContain('The payment method does not confirm the payment')
    provider.pay(begun.note)
    provider.leave(true)
    await expect(finish(begun)).rejects.toMatchObject({ code: 'ORDER_NOT_FINISHED' })
    expect(await read('transactions', begun.payment)).toEqual(untouched)
    provider.leave(false)
    expect(await finish(begun)).toMatchObject({ is: 'made' })
  })

  it.each(['failed', 'cancelled', 'expired', 'refunded'])(
    'is not made of a payment that is %s',
    async (status) => {
      const begun = await pay()
      await change('transactions', begun.payment, { status })
      expect(await finish(begun)).toEqual({ is: 'refused', why: 'ended' })
      expect(await ordersOf(begun)).toEqual([])
    },
  )

  it('is not made twice for one cart', async () => {
    const begun = await pay()
    await finish(begun)
    const again = await pay(begun.cart)
    expect(await finish(again)).toEqual({ is: 'refused', why: 'twice' })
    expect((await shop.payload.count({ collection: 'orders' })).totalDocs).toBe(1)
  })

  it('is refused where nobody can judge', async () => {
    const begun = await pay()
    expect(await finish({ ...begun, payment: 999_999 })).toEqual({ is: 'refused', why: 'unknown' })
    await change('transactions', begun.payment, { paymentMethod: null })
    expect(await finish(begun)).toEqual({ is: 'refused', why: 'no-method' })
  })

  it('is one, whoever finishes it at the same moment', async () => {
    const other = await shop.join()
    for (let time = 0; time < 5; time += 1) {
      const begun = await pay()
      await Promise.allSettled([
        begun.comeBack(),
        finish(begun),
        finish(begun, other),
        press(begun),
        finish(begun),
        finish(begun, other),
      ])
      expect(await finish(begun)).toMatchObject({ is: 'there' })
      expect(await ordersOf(begun)).toHaveLength(1)
    }
    expect(await read('products', product)).toMatchObject({ inventory: 990 })
    expect(await placed()).toBe(5)
  })

  it('is a matter of the shopper who paid and never came back, and of nobody who did not pay', async () => {
    const left = await begin()
    const paid = await pay()
    await shop.runTask()
    expect(await matters()).toEqual([])
    shop.move(11 * minute)
    shop.log.clear()
    await shop.runTask()
    expect(await matters()).toEqual([['paidNoOrder', [paid.payment]]])
    // That nobody has paid is no error.
    expect(shop.log.lines().filter(({ level }) => level >= 40)).toEqual([])
    for (const { payment } of [left, paid]) {
      expect(await read('transactions', payment)).toMatchObject({ status: 'pending' })
    }
    expect((await shop.payload.count({ collection: 'orders' })).totalDocs).toBe(0)

    // A bank takes its time, and the provider is away for a while.
    provider.pay(left.note)
    provider.leave(true)
    for (const minutes of [10, 40]) {
      shop.move(minutes * minute)
      await shop.runTask()
      provider.leave(false)
    }
    expect(await matters()).toEqual([['paidNoOrder', [left.payment, paid.payment]]])
    expect(await finish(paid)).toMatchObject({ is: 'made' })
    expect(await finish(left)).toMatchObject({ is: 'made' })
    await shop.runTask()
    expect(await matters()).toEqual([])
  })

  it('is no matter in days of a healthy shop whose shoppers pay, leave, fail and come late', async () => {
    let orders = 0
    for (let day = 1; day <= days; day += 1) {
      const bought = await pay()
      expect((await bought.comeBack()).status).toBe(200)
      await begin()
      const failed = await begin()
      await change('transactions', failed.payment, { status: day % 2 ? 'failed' : 'expired' })
      // The tab is closed, and the webhook comes hours later, twice, before or after a look.
      const left = await pay()
      if (day % 3 > 0) await finish(left)
      shop.move((day % 7) * 60 * minute)
      await finish(left)
      shop.move(11 * minute)
      await shop.runTask()
      orders += 2
      expect(await matters()).toEqual([])
      shop.move(12 * 60 * minute)
    }
    expect((await shop.payload.count({ collection: 'orders' })).totalDocs).toBe(orders)
    const compared = await shop.parts.overview.compared()
    expect(compared.filter(({ difference }) => difference !== undefined)).toEqual([])
    expect(compared.length).toBeGreaterThan(0)
  })

  it('is one order or one matter, at whichever statement the confirmation dies', async () => {
    let isOver = false
    let reported = 0
    const seen = new Set<string>()
    for (let statement = 1; !isOver && statement <= mostStatements; statement += 1) {
      const begun = await pay()
      const { revive } = dieAt(shop.payload, statement)
      await begun.comeBack().catch(() => undefined)
      isOver = !revive()
      shop.move(11 * minute)
      await shop.runTask()
      const found = (await ordersOf(begun)).filter(({ savingSince }) => !savingSince)
      const { status } = await read('transactions', begun.payment)
      // An order whose payment does not know of it is a matter, too.
      const isWell = status === 'succeeded'
      expect(await matters()).toEqual(isWell ? [] : [['paidNoOrder', [begun.payment]]])
      if (isWell) expect(found).toHaveLength(1)
      // Nothing is sent of an order that was rolled back, or is not whole.
      expect(await placed()).toBe(reported + found.length)

      let outcome = await finish(begun)
      if (outcome.is === 'refused') {
        expect(outcome).toMatchObject({ why: 'begun', order: expect.anything() as unknown })
        await shop.payload.delete({ collection: 'orders', id: outcome.order ?? '' })
        seen.add(outcome.why)
        outcome = await finish(begun)
      }
      seen.add(outcome.is)
      expect(outcome).toMatchObject({ is: expect.not.stringMatching('refused') as string })
      expect(await ordersOf(begun)).toHaveLength(1)
      expect(await matters()).toEqual([])
      reported += 1
      expect(await placed()).toBe(reported)
    }
    expect(isOver).toBe(true)
    // With transactions nothing is left half done.
    const halfDone = kind === 'sqlite' ? ['begun', 'linked'] : []
    expect([...seen].toSorted()).toEqual(['made', 'there', ...halfDone].toSorted())
  })
})
