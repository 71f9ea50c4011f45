import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MappedOrder, OrderDocument } from '../../src/orders/order.js'
import { anEvent } from '../support/messages.js'
import { historyWorld, year2025 } from './history-world.js'
import { ordersOfYear, savePastOrders } from '../support/past-orders.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

describe.each(databaseKinds)('A history that fails (%s)', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind)
  })
  afterEach(() => store.close())

  const away = () => Promise.reject(new Error('The database is away.'))
  const minute = 60_000

  it('keeps no event of now waiting, where each process lives for one pass', async () => {
    const world = historyWorld(store, { around: away })
    await savePastOrders(store.payload, ordersOfYear(2))
    await world.start()
    const message = anEvent('ada@example.com', 'of-now')
    await world.outbox.store([{ message, key: 'of-now', acceptedAt: world.now() }])

    await world.coldProcess().drain.pass()
    expect(world.standIn.state.events).toMatchObject([{ uniqueId: 'of-now' }])
  })

  it('is given up after six tries, though each is that of another process', async () => {
    let tries = 0
    const around = () => {
      tries += 1
      return away()
    }
    const world = historyWorld(store, { around })
    await savePastOrders(store.payload, ordersOfYear(2))
    const { id } = await world.start()
    for (let pass = 0; pass < 20; pass++) {
      await world.coldProcess().drain.pass()
      world.move(minute)
    }
    expect(tries).toBe(6)
    expect(await world.histories.find(id)).toMatchObject({ state: 'failed', done: 0 })
  })

  it('waits longer after each try, whoever comes', async () => {
    const moments: number[] = []
    const around = () => {
      moments.push(world.now().getTime())
      return away()
    }
    const world = historyWorld(store, { around })
    await savePastOrders(store.payload, ordersOfYear(2))
    await world.start()
    const begin = world.now().getTime()
    for (let second = 0; second < 60; second++) {
      await world.coldProcess().drain.pass()
      world.move(1_000)
    }
    expect(moments.map((at) => (at - begin) / 1_000)).toEqual([0, 1, 3, 7, 15, 31])
  })

  it('has six tries again after a page that went well, and after it was resumed', async () => {
    let isAway = true
    const world = historyWorld(store, {
      ordersAtOnce: 1,
      around: (step) => (isAway ? away() : step()),
    })
    await savePastOrders(store.payload, ordersOfYear(3))
    const { id } = await world.start()
    const state = async () => (await world.histories.find(id))?.state
    const fail = async (times: number) => {
      isAway = true
      for (let pass = 0; pass < times; pass++) {
        await world.coldProcess().drain.pass()
        world.move(minute)
      }
      isAway = false
    }
    const oneStep = async () => {
      await world.step()
      world.move(minute)
    }
    await fail(5)
    await oneStep()
    await fail(5)
    await oneStep()
    await fail(5)
    expect(await state()).toBe('running')
    await fail(1)
    expect(await state()).toBe('failed')
    await world.histories.resume(id)
    await fail(5)
    expect(await state()).toBe('running')
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 3, events: 9 })
  })

  it('sends every order when the sites cannot be read for a moment', async () => {
    const world = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(3))
    await world.start()
    const find = store.payload.find.bind(store.payload)
    let failures = 0
    const spy = vi
      .spyOn(store.payload, 'find')
      .mockImplementation((options: Parameters<typeof find>[0]) => {
        if (options.collection !== 'sites' || failures === 2) return find(options)
        failures += 1
        return away()
      })
    const run = await world.runToEnd()
    spy.mockRestore()

    expect(failures).toBe(2)
    expect(run).toMatchObject({ state: 'done', done: 3, passedOver: 0, events: 9 })
    expect(world.standIn.state.events).toHaveLength(9)
  })

  it('is no run that is done: with a mapSite that always throws it has failed, and says so', async () => {
    const mapSite = () => {
      throw new Error('No such tenant.')
    }
    const world = historyWorld(store, { options: { mapSite } })
    const site = { handle: 'tea', name: 'Tea', baseUrl: 'https://tea.example', cartUrl: '/cart' }
    await store.payload.create({
      collection: 'sites',
      data: { ...site, enabled: true, store: 'tea' },
    })
    await savePastOrders(store.payload, ordersOfYear(3))
    await world.start()

    expect(await world.runToEnd()).toMatchObject({
      state: 'failed',
      lastError: 'historyGivenUp',
      done: 0,
      passedOver: 0,
    })
  })

  it('passes over the orders alone at which the store’s orders.map throws', async () => {
    const world = historyWorld(store, {
      options: {
        orders: {
          map(document) {
            if (document.customerEmail === 'buyer-1@example.com') throw new Error('No invoice.')
            return mapped(document)
          },
        },
      },
    })
    await savePastOrders(store.payload, ordersOfYear(3))
    await world.start()
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 3, passedOver: 1 })
    const placed = world.standIn.state.events.map(({ metric }) => metric)
    expect(placed).toEqual(['Placed Order', 'Placed Order'])
  })

  it('sends every order when orders cannot be read for a moment, with an orders.map too', async () => {
    const world = historyWorld(store, {
      options: { orders: { map: mapped } },
    })
    await savePastOrders(store.payload, ordersOfYear(3))
    await world.start()
    const find = store.payload.find.bind(store.payload)
    let looks = 0
    const spy = vi
      .spyOn(store.payload, 'find')
      .mockImplementation((options: Parameters<typeof find>[0]) => {
        if (options.collection !== 'orders') return find(options)
        looks += 1
        // The page, and the second of the orders where they are read one by one.
        return [1, 3].includes(looks) ? away() : find(options)
      })
    const run = await world.runToEnd()
    spy.mockRestore()
    expect(run).toMatchObject({ state: 'done', done: 3, passedOver: 0 })
    expect(world.standIn.state.events).toHaveLength(3)
  })

  it('makes room for another run, which may even be of the same period', async () => {
    const { histories, giveUp } = historyWorld(store)
    await savePastOrders(store.payload, ordersOfYear(2))
    const start = () => histories.start(year2025, { startedBy: undefined })
    const first = await start()
    await giveUp()
    const second = await start()
    expect([first.isNew, second.isNew]).toEqual([true, true])
    // Two at once there are not.
    expect(await histories.resume(first.run.id)).toBeUndefined()
    expect(await histories.find(first.run.id)).toMatchObject({ state: 'failed' })
    await giveUp()
    expect(await histories.resume(first.run.id)).toMatchObject({ state: 'counting' })
    expect((await start()).isNew).toBe(false)
  })
})

/** As a store that keeps its orders' data elsewhere may read them. */
const mapped = (document: OrderDocument): MappedOrder => ({
  id: document.id,
  number: String(document.number),
  reference: String(document.reference),
  status: 'processing',
  currency: 'USD',
  total: 1200,
  taxAmount: 0,
  shippingAmount: 0,
  discountAmount: 0,
  discountCode: '',
  createdAt: new Date(String(document.createdAt)),
  updatedAt: new Date(String(document.updatedAt)),
  paymentMethod: '',
  shippingMethod: '',
  customerId: undefined,
  email: String(document.customerEmail),
  shippingAddress: noAddress,
  billingAddress: undefined,
  items: [],
  customerNotes: '',
  internalNotes: '',
  gift: false,
  giftMessage: '',
  customField1: '',
  customField2: '',
  customField3: '',
})

const noAddress = {
  name: '',
  company: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
  phone: '',
}
