import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MappedOrder, OrderDocument } from '../../../src/shop/orders/order.js'
import { aPastEvent, anEvent } from '../../support/messages.js'
import { aMappedOrder } from '../../support/mapped-order.js'
import { copyPastOrders, ordersOfYear, savePastOrders } from '../../support/past-orders.js'
import { anyKind, databaseKinds } from '../../support/store.js'
import { historyWorld, year2025 } from './history-world.js'

const away = () => Promise.reject(new Error('The database is away.'))
const minute = 60_000

afterEach(() => void vi.restoreAllMocks())

describe.each(databaseKinds)('A history that fails (%s)', (kind) => {
  const world = historyWorld(kind)

  it('keeps no event of now waiting', async () => {
    vi.spyOn(world.parts.historyWork, 'step').mockImplementation(away)
    await savePastOrders(world.payload, ordersOfYear(2))
    await world.start()
    const message = anEvent('ada@example.com', 'of-now')
    await world.parts.outbox.store([{ message, key: 'of-now', acceptedAt: new Date(world.now()) }])

    await world.pass()
    expect(world.standIn.state.events).toMatchObject([{ uniqueId: 'of-now' }])
  })

  it('waits longer after each try, whoever comes, and is given up after six', async () => {
    const processes = [await world.join(), await world.join(), await world.join()]
    const moments: number[] = []
    const begin = world.now()
    for (const { historyWork } of processes.map(({ parts }) => parts)) {
      vi.spyOn(historyWork, 'step').mockImplementation(() => {
        moments.push((world.now() - begin) / 1_000)
        return away()
      })
    }
    await savePastOrders(world.payload, ordersOfYear(2))
    const { id } = await world.start()
    for (let second = 0; second < 60; second++) {
      for (const { historyWorker } of processes.map(({ parts }) => parts)) {
        const step = await historyWorker.next()
        if ('run' in step) await step.run().catch(() => undefined)
      }
      world.move(1_000)
    }
    expect(moments).toEqual([0, 1, 3, 7, 15, 31])
    expect(await world.parts.histories.find(id)).toMatchObject({ state: 'failed', done: 0 })
  })

  it('has six tries again after a page that went well, and after it was resumed', async () => {
    await copyPastOrders(world.payload, 250)
    const { id } = await world.start()
    const state = async () => (await world.parts.histories.find(id))?.state
    const fail = async (times: number) => {
      const step = vi.spyOn(world.parts.historyWork, 'step').mockImplementation(away)
      for (let pass = 0; pass < times; pass++) {
        await world.pass()
        world.move(minute)
      }
      step.mockRestore()
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
    await world.parts.histories.resume(id)
    await fail(5)
    expect(await state()).toBe('running')
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 250, events: 750 })
  })

  it('stores no page while its events of before wait to be sent', async () => {
    await savePastOrders(world.payload, ordersOfYear(2))
    const sends = Array.from({ length: 4_000 }, (_, index) => ({
      message: aPastEvent('ada@example.com', `${index}`),
      key: `${index}`,
      acceptedAt: new Date(world.now()),
    }))
    await world.parts.outbox.store(sends)
    const { historyWorker } = (await world.join()).parts
    await world.start()
    for (let look = 0; look < 4; look++) {
      const next = await historyWorker.next()
      if ('run' in next) await next.run()
      world.move(250)
    }
    expect(await world.parts.histories.latest()).toMatchObject({ state: 'counting' })
    expect(await world.runToEnd()).toMatchObject({ state: 'done', events: 6 })
  })

  it('makes room for another run, which may even be of the same period', async () => {
    const { histories, historyWork } = world.parts
    const giveUp = async () => {
      const run = await historyWork.current()
      if (run !== undefined) await historyWork.giveUp(run)
    }
    await savePastOrders(world.payload, ordersOfYear(2))
    const start = () => histories.start(year2025, { startedBy: undefined })
    const first = await start()
    await giveUp()
    const second = await start()
    expect([first.isNew, second.isNew]).toEqual([true, true])
    // Two at once there are not.
    expect(await histories.resume(first.run.id)).toBeUndefined()
    expect(await histories.find(first.run.id)).toMatchObject({
      state: 'failed',
      lastError: 'historyGivenUp',
    })
    await giveUp()
    const resumed = { state: 'counting', lastError: undefined }
    expect(await histories.resume(first.run.id)).toMatchObject(resumed)
    expect((await start()).isNew).toBe(false)
    await world.runToEnd()
    expect(await histories.find(first.run.id)).toMatchObject({ state: 'done', events: 6 })
  })

  it('sends every order when the sites cannot be read for a moment', async () => {
    await savePastOrders(world.payload, ordersOfYear(3))
    await world.start()
    const find = world.payload.find.bind(world.payload)
    let failures = 0
    vi.spyOn(world.payload, 'find').mockImplementation((options: Parameters<typeof find>[0]) => {
      if (options.collection !== 'sites' || failures === 2) return find(options)
      failures += 1
      return away()
    })
    const run = await world.runToEnd()

    expect(failures).toBe(2)
    expect(run).toMatchObject({ state: 'done', done: 3, passedOver: 0, events: 9 })
    expect(world.standIn.state.events).toHaveLength(9)
  })
})

describe('A history with a mapSite that always throws', () => {
  const world = historyWorld(anyKind, {
    mapSite: () => {
      throw new Error('No such tenant.')
    },
  })

  it('is no run that is done: it has failed, and says so', async () => {
    const site = { handle: 'tea', name: 'Tea', baseUrl: 'https://tea.example', cartUrl: '/cart' }
    await world.payload.create({
      collection: 'sites',
      data: { ...site, enabled: true, store: 'tea' },
    })
    await savePastOrders(world.payload, ordersOfYear(3))
    expect(await world.run()).toMatchObject({
      state: 'failed',
      lastError: 'historyGivenUp',
      done: 0,
      passedOver: 0,
    })
  })
})

describe('A history with an orders.map', () => {
  let unreadable: unknown
  const world = historyWorld(anyKind, {
    orders: {
      map(document) {
        if (document.customerEmail === unreadable) throw new Error('No invoice.')
        return mapped(document)
      },
    },
  })

  it('passes over the orders alone at which it throws', async () => {
    unreadable = 'buyer-1@example.com'
    await savePastOrders(world.payload, ordersOfYear(3))
    expect(await world.run()).toMatchObject({ state: 'done', done: 3, passedOver: 1 })
    const placed = world.standIn.state.events.map(({ metric }) => metric)
    expect(placed).toEqual(['Placed Order', 'Placed Order'])
  })

  it('sends every order when orders cannot be read for a moment', async () => {
    unreadable = undefined
    await savePastOrders(world.payload, ordersOfYear(3))
    await world.start()
    const find = world.payload.find.bind(world.payload)
    let looks = 0
    vi.spyOn(world.payload, 'find').mockImplementation((options: Parameters<typeof find>[0]) => {
      if (options.collection !== 'orders') return find(options)
      looks += 1
      // The page, and the second of the orders where they are read one by one.
      return [1, 3].includes(looks) ? away() : find(options)
    })
    expect(await world.runToEnd()).toMatchObject({ state: 'done', done: 3, passedOver: 0 })
    expect(world.standIn.state.events).toHaveLength(3)
  })
})

/** As a store that keeps its orders' data elsewhere may read them. */
const mapped = (document: OrderDocument): MappedOrder =>
  aMappedOrder(document, {
    number: String(document.number),
    reference: String(document.reference),
    createdAt: new Date(String(document.createdAt)),
    updatedAt: new Date(String(document.updatedAt)),
    email: String(document.customerEmail),
    items: [],
  })
