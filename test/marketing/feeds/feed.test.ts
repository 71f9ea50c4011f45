import { sql } from 'drizzle-orm'
import { commitTransaction, createLocalReq, initTransaction } from 'payload'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { beforeStatements } from '../../support/before-statements.js'
import { partsOf } from '../../support/parts.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { anyKind, databaseKinds, hasPostgres } from '../../support/store.js'
import { eventShop } from './event-shop.js'

const second = 1_000
const minute = 60 * second

describe.each(databaseKinds)('The feed of a shop (%s)', (kind) => {
  const shop = eventShop(kind, { cleared: ['carts', 'users'] })

  const save = () => saveOrder(shop.payload)
  const names = async (of: { number?: string } = {}) =>
    (await shop.events(of.number)).map(({ name }) => name)

  it('sends the facts of an order in the order in which they happened, after a crash too, and none twice', async () => {
    const order = await save()
    const parcel = (number: string) =>
      shop.ship(order.reference, { carrier: 'UPS', service: '', tracking_number: number })
    await parcel('P1')
    await shop.update('orders', order.id, { status: 'completed' })
    await parcel('P2')
    await shop.update('orders', order.id, { status: 'refunded' })
    await shop.loseSends()
    await shop.restartFeeds()
    await shop.restartFeeds()
    expect((await shop.events(order.number)).map(({ name, uniqueId }) => [name, uniqueId])).toEqual(
      [
        ['Placed Order', order.number],
        ['Ordered Product', expect.any(String)],
        ['Shipped Order', `${order.number}:P1`],
        ['Completed Order', `${order.number}:completed:1`],
        ['Shipped Order', `${order.number}:P2`],
        ['Refunded Order', order.number],
      ],
    )
  })

  it('stores each fact once, though two processes look at the same moment', async () => {
    const order = await save()
    await shop.update('orders', order.id, { status: 'completed' })
    const other = await shop.join()
    await Promise.all([catchUpFeeds(other.payload), catchUpFeeds(shop.payload)])
    expect(await names()).toEqual(['Placed Order', 'Ordered Product', 'Completed Order'])
  })

  it('sends an order that was saved after a process with a clock half an hour ahead has looked', async () => {
    const hour = 60 * minute
    shop.move(hour - (shop.now() % hour))
    shop.setClock(30 * minute)
    await shop.restartFeeds()
    shop.setClock(-30 * minute)
    await saveOrder(shop.payload, anOrder({ updatedAt: new Date(shop.now()).toISOString() }))
    const other = await shop.join()
    await catchUpFeeds(other.payload)
    expect((await shop.sends()).map(({ key }) => key)).toHaveLength(2)
  })

  it('sends an order though the database was lost and came back while it was read', async () => {
    const order = await save()
    let losses = 2
    const end = beforeStatements(shop.payload, (statement) => {
      const isOfOrders = JSON.stringify(statement).includes(String.raw`as \"order\"`)
      if (isOfOrders && losses-- > 0) throw new Error('The connection was lost')
    })
    onTestFinished(end)
    expect(await names(order)).toEqual(['Placed Order', 'Ordered Product'])
    expect(losses).toBeLessThanOrEqual(0)
  })

  it('finds an order whose process has another clock, some seconds before or behind', async () => {
    for (const seconds of [-10, 10]) {
      const order = await save()
      const updatedAt = new Date(shop.now() + seconds * second).toISOString()
      await shop.payload.db.updateOne({
        collection: 'orders',
        id: order.id,
        data: { updatedAt },
        returning: false,
      })
      expect(await names(order)).toEqual(['Placed Order', 'Ordered Product'])
    }
  })

  it('sends no account that was there before, and each change from then on', async () => {
    const account = async (email: string) =>
      (await shop.payload.db.create({
        collection: 'users',
        data: { email, updatedAt: new Date(shop.now() - 5 * minute).toISOString() },
      })) as unknown as { id: number }
    const [ada, grace] = [await account('ada@example.com'), await account('grace@example.com')]
    const emails = async () => (await shop.reported()).map(({ message }) => message.profile.email)
    await shop.update('users', ada.id, { roles: ['customer'] })
    await shop.update('users', grace.id, { email: 'admiral@example.com' })
    expect(await emails()).toEqual(['admiral@example.com'])
    await shop.update('users', ada.id, { email: 'countess@example.com' })
    expect(await emails()).toEqual(['admiral@example.com', 'countess@example.com'])
  })

  it('sends a new account though an import changes it before anybody has looked', async () => {
    const data = { email: 'ada@example.com', password: 'correct horse battery' }
    const { id } = await shop.payload.create({ collection: 'users', data })
    const context = { storeconnect: 'import' }
    await shop.update('users', id, { email: 'countess@example.com', context })
    expect((await shop.reported()).map(({ message }) => message.profile.email)).toEqual([
      'countess@example.com',
    ])
  })
})

describe.runIf(hasPostgres)('A transaction that is long open (postgres)', () => {
  const shop = eventShop('postgres')

  it.each([
    ['a quarter of a minute', 15 * second, 1],
    ['ten minutes', 10 * minute, 6],
  ])('for %s is sent once it is committed', async (_, openMs, minutes) => {
    const lookFor = async (ms: number) => {
      const end = shop.now() + ms
      for (; shop.now() < end; shop.move(5 * second)) await catchUpFeeds(shop.payload)
    }
    const req = await createLocalReq({}, shop.payload)
    await initTransaction(req)
    await saveOrder(shop.payload, anOrder(), { req })
    await lookFor(openMs)
    await commitTransaction(req)

    const stored = async () =>
      (await shop.sends()).map(({ message }) => message.kind === 'event' && message.event.name)
    expect(await stored()).toEqual([])
    await lookFor(minutes * minute)
    expect(await stored()).toEqual(['Placed Order', 'Ordered Product'])
  })
})

describe('The looks of a feed', () => {
  const shop = eventShop(anyKind)

  const feed = () => {
    const found = partsOf(shop.payload).feeds.find(({ name }) => name === 'feed of orders')
    if (found === undefined) throw new Error('There is no feed of orders.')
    return found
  }
  /** Resolves to how many milliseconds later the next look is due, once all that are due are over. */
  const lookNow = async () => {
    for (;;) {
      const step = await feed().next()
      if (!('run' in step)) return (step.nextAt?.getTime() ?? 0) - shop.now()
      await step.run()
    }
  }

  it('come at once after a save, again when that may be committed, and each second', async () => {
    shop.move(minute)
    expect(await lookNow()).toBe(second)
    shop.move(second / 2)
    await saveOrder(shop.payload, anOrder({ updatedAt: new Date(shop.now()).toISOString() }))
    expect(await lookNow()).toBe(100)
    shop.move(100)
    expect(await lookNow()).toBe(second)
  })

  it('come five seconds after one that failed, though an order is saved', async () => {
    shop.move(minute)
    await lookNow()
    const database = sqlDatabase(shop.payload)
    await database.run(sql.raw('alter table orders rename to orders_away'))
    shop.move(minute)
    await expect(lookNow()).rejects.toThrow()
    await database.run(sql.raw('alter table orders_away rename to orders'))
    await saveOrder(shop.payload, anOrder({ updatedAt: new Date(shop.now()).toISOString() }))
    expect(await lookNow()).toBe(5 * second)
    shop.move(5 * second)
    await lookNow()
    expect((await shop.reported()).length).toBeGreaterThan(0)
  })
})
