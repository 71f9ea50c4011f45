import { beforeEach, describe, expect, it } from 'vitest'
import { paymentMatters } from '../../../src/shop/payments/matters.js'
import { anOrder, aPurchase, saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { databaseKinds } from '../../support/store.js'

type Data = Record<string, unknown>

interface Saved {
  id: number
  secret: string
}

const minute = 60_000
const day = 24 * 60 * minute

describe.each(databaseKinds)('What is wrong between payments and orders (%s)', (kind) => {
  const shop = simulatedStore(kind, {
    cleared: ['transactions', 'carts', 'products', 'payload-kv'],
    workers: ({ nightlyComparison }) => (nightlyComparison ? [nightlyComparison.worker] : []),
  })
  let product: number
  beforeEach(async () => {
    product = await createProduct(shop.payload, { inventory: 1000 })
  })

  const create = async (collection: string, data: Data) =>
    (await shop.payload.create({ collection, data, depth: 0 })) as unknown as Saved
  const aCart = () => create('carts', { items: [{ product, quantity: 1 }], currency: 'USD' })
  const aPayment = async (data: Data = {}) => {
    const cart = 'cart' in data ? data.cart : (await aCart()).id
    const items = [{ product, quantity: 1 }]
    const known = { amount: 1250, currency: 'USD', paymentMethod: 'demo', items }
    return create('transactions', { ...known, ...data, cart })
  }
  const anOrderOf = (transactions: readonly Saved[], data: Data = {}) =>
    saveOrder(shop.payload, anOrder({ transactions: transactions.map(({ id }) => id), ...data }))
  const post = async (step: 'initiate' | 'confirm-order', cart: Saved) => {
    const purchase = aPurchase(cart, 'ada@example.com')
    const answer = await shop.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
    expect(answer.status, await answer.clone().text()).toBe(200)
  }
  const change = (collection: string, { id }: { id: number | string }, data: Data) =>
    shop.payload.update({ collection, id, data })
  /** By their names: how many, and the amounts or the orders that are named. */
  const matters = async () => {
    const { open } = await shop.parts.alerts.matters()
    const ours = open.filter(({ name }) => name in paymentMatters)
    return Object.fromEntries(
      ours.map(({ name, facts: { count, orders, payments } }) => [
        name,
        { count, ids: (payments ?? orders ?? []).map(({ id }) => id) },
      ]),
    )
  }

  it('is nothing in a healthy shop', async () => {
    // Bought, and begun only.
    const bought = await aCart()
    await post('initiate', bought)
    await post('confirm-order', bought)
    await post('initiate', await aCart())
    // Paid at the second attempt.
    const retried = await aCart()
    const failed = await aPayment({ cart: retried.id, status: 'failed' })
    const paid = await aPayment({ cart: retried.id, status: 'succeeded' })
    await anOrderOf([failed, paid])
    for (const status of ['pending', 'failed', 'cancelled', 'expired', 'refunded']) {
      await aPayment({ status })
    }
    await anOrderOf([await aPayment({ status: 'refunded' })], { status: 'refunded' })
    await anOrderOf([await aPayment({ status: 'cancelled' })], { status: 'cancelled' })
    // Made in the admin, free, and paid by a transfer that is awaited.
    await saveOrder(shop.payload)
    await anOrderOf([], { amount: 0 })
    await anOrderOf([await aPayment({ amount: 0, status: 'failed' })], { amount: 0 })
    await anOrderOf([await aPayment({ status: 'pending' })])
    await aPayment({ status: 'succeeded', amount: 0 })
    // Money for something that is not ordered in the shop.
    await aPayment({ status: 'succeeded', cart: null })
    // A deposit and the rest of one order.
    const shared = await aCart()
    const halves = []
    for (let time = 0; time < 2; time += 1) {
      halves.push(await aPayment({ cart: shared.id, amount: 625, status: 'succeeded' }))
    }
    await anOrderOf(halves, { amount: 1250 })
    // The cart was bought, and the merchant has deleted or copied the order.
    const removed = await aCart()
    await post('initiate', removed)
    await post('confirm-order', removed)
    const { docs } = await shop.payload.find({
      collection: 'orders',
      sort: '-id',
      limit: 1,
      depth: 0,
    })
    await shop.payload.delete({ collection: 'orders', id: docs[0]?.id ?? '' })
    const kept = await anOrderOf([await aPayment({ status: 'succeeded' })])
    await shop.payload.duplicate({ collection: 'orders', id: kept.id })
    for (const passed of [0, 11 * minute, day, 5 * day]) {
      shop.move(passed)
      expect(await matters()).toEqual({})
    }
  })

  it('is a payment whose confirmation was cut off, after ten minutes', async () => {
    const { id } = await aPayment({ status: 'processing' })
    shop.move(9 * minute)
    expect(await matters()).toEqual({})
    shop.move(2 * minute)
    expect(await matters()).toEqual({ paidNoOrder: { count: 1, ids: [id] } })
    shop.move(31 * day)
    expect(await matters()).toEqual({})
  })

  it('is a payment that was made, and has no order', async () => {
    const payment = await aPayment({ status: 'succeeded' })
    shop.move(11 * minute)
    expect(await matters()).toEqual({ paidNoOrder: { count: 1, ids: [payment.id] } })
    await change('transactions', payment, { status: 'refunded' })
    expect(await matters()).toEqual({})
  })

  it.each(['its order', 'an order of its own', 'no order'])(
    'is a second payment for one cart, with %s',
    async (which) => {
      const { id: cart } = await aCart()
      const first = await aPayment({ cart, status: 'succeeded' })
      shop.move(minute)
      const again = await aPayment({ cart, status: 'succeeded' })
      const order = { amount: 1250 }
      if (which === 'its order') await anOrderOf([first, again], order)
      else await anOrderOf([first], order)
      const own = which === 'an order of its own' ? await anOrderOf([again], order) : undefined
      shop.move(11 * minute)
      expect(await matters()).toEqual({ paidTwice: { count: 1, ids: [again.id] } })
      if (own) await change('orders', own, { status: 'cancelled' })
      else await change('transactions', again, { status: 'refunded' })
      expect(await matters()).toEqual({})
    },
  )

  it('is no second payment of who buys the same cart again later, or another one', async () => {
    const { id: cart } = await aCart()
    await anOrderOf([await aPayment({ cart, status: 'succeeded' })])
    await anOrderOf([await aPayment({ cart, amount: 2500, status: 'succeeded' })])
    shop.move(2 * day)
    await anOrderOf([await aPayment({ cart, status: 'succeeded' })])
    shop.move(11 * minute)
    expect(await matters()).toEqual({})
  })

  it('is the payment without an order, where the shopper has paid again', async () => {
    const { id: cart } = await aCart()
    const stuck = await aPayment({ cart, status: 'processing' })
    shop.move(minute)
    const again = await aPayment({ cart, status: 'succeeded' })
    await anOrderOf([again])
    shop.move(11 * minute)
    expect(await matters()).toEqual({ paidTwice: { count: 1, ids: [stuck.id] } })
  })

  it('is an order of the checkout whose every payment failed, expired or was cancelled', async () => {
    const payments = [await aPayment({ status: 'failed' }), await aPayment({ status: 'expired' })]
    const order = await anOrderOf(payments)
    shop.move(11 * minute)
    expect(await matters()).toEqual({ unpaidOrders: { count: 1, ids: [order.id] } })
    await change('transactions', payments[0] ?? { id: 0 }, { status: 'succeeded' })
    expect(await matters()).toEqual({})
  })

  it('shows where payments and orders of a day differ, to the cent', async () => {
    const paid = { status: 'succeeded' }
    await anOrderOf([await aPayment(paid)], { amount: 1250 })
    const halves = [
      await aPayment({ ...paid, amount: 625 }),
      await aPayment({ ...paid, amount: 625 }),
    ]
    await anOrderOf(halves, { amount: 1250 })
    for (const status of ['pending', 'failed', 'refunded']) await aPayment({ status })
    await anOrderOf([], { amount: 9900 })
    shop.move(day)
    await anOrderOf([await aPayment(paid)], { amount: 1249 })
    await aPayment({ ...paid, currency: 'JPY', amount: 500 })
    expect(await shop.parts.overview.compared()).toMatchObject([
      { paid: '25.00 USD', ordered: '25.00 USD', difference: undefined },
    ])
    shop.move(day)
    const [yen, dollars, ...before] = await shop.parts.overview.compared()
    expect(yen).toMatchObject({ paid: '500.00 JPY', ordered: '0.00 JPY', difference: '500.00 JPY' })
    expect(dollars).toMatchObject({
      ...{ paid: '12.50 USD', ordered: '12.49 USD', difference: '0.01 USD' },
      day: new Date(shop.now() - day).toISOString().slice(0, 10),
    })
    expect(before).toHaveLength(1)
    shop.move(15 * day)
    expect(await shop.parts.overview.compared()).toEqual([])
  })

  /** At night, and once more: whoever delivers compares each day once. */
  const nights = async (count: number) => {
    for (let night = 0; night < count; night += 1) {
      shop.move(day)
      for (let time = 0; time < 2; time += 1) {
        await shop.pass()
        shop.move(11 * minute)
      }
    }
  }

  it('is an order of another amount than its payments, from the next night on', async () => {
    const paid = { status: 'succeeded' }
    await anOrderOf([await aPayment(paid)], { amount: 1250 })
    // What was sold before the first night is the past.
    await anOrderOf([await aPayment(paid)], { amount: 1 })
    shop.move(2 * day)
    await nights(2)
    expect(await matters()).toEqual({})

    const over = await anOrderOf([await aPayment(paid)], { amount: 1249 })
    const deposit = await aPayment({ ...paid, amount: 250 })
    const under = await anOrderOf([deposit], { amount: 1250 })
    await anOrderOf([await aPayment(paid)], { amount: 99, status: 'cancelled' })
    // Another matter tells of it, and of what is not ordered in the shop none.
    await aPayment({ ...paid, cart: null })
    shop.move(11 * minute)
    expect(await matters()).toEqual({})
    await nights(3)
    const found = { amountsDiffer: { count: 2, ids: [under.id, over.id] } }
    expect(await matters()).toEqual(found)
    const { open } = await shop.parts.alerts.matters()
    const { facts } = open.find(({ name }) => name === 'amountsDiffer') ?? {}
    expect(facts?.orders?.map(({ number }) => number)).toEqual([
      `${under.reference} (-10.00 USD)`,
      `${over.reference} (0.01 USD)`,
    ])

    await change('orders', over, { amount: 1250 })
    const rest = await aPayment({ ...paid, amount: 1000 })
    await change('orders', under, { transactions: [deposit.id, rest.id] })
    expect(await matters()).toEqual({})
  })

  it('is found once the nights that nothing ran are over', async () => {
    await nights(1)
    const order = await anOrderOf([await aPayment({ status: 'succeeded' })], { amount: 1 })
    shop.move(5 * day)
    await nights(1)
    expect(await matters()).toEqual({ amountsDiffer: { count: 1, ids: [order.id] } })
  })

  it('names amounts, and nobody', async () => {
    await aPayment({ status: 'succeeded', customerEmail: 'ada@example.com' })
    await aPayment({ status: 'succeeded', currency: 'JPY', amount: 500 })
    shop.move(11 * minute)
    const { open } = await shop.parts.alerts.matters()
    const { facts } = open.find(({ name }) => name === 'paidNoOrder') ?? {}
    expect(facts?.payments?.map(({ number }) => number)).toEqual(['12.50 USD', '500.00 JPY'])
    expect(JSON.stringify(facts)).not.toContain('ada')
  })
})
