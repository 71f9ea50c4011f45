import { afterEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../../support/orders.js'
import { savePastOrders } from '../../support/past-orders.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, holdCalls, openErasureShop, type ErasureShop } from './erasure-shop.js'

const account = { email: adalgisa.email, password: 'correct horse battery' }

describe.each(databaseKinds)('What was on its way when a person was erased (%s)', (kind) => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const sends = async () => {
    const { docs } = await shop.payload.find({ collection: 'marketing-sends', pagination: false })
    return docs as unknown as { kind: string }[]
  }
  const afterRound = async () => {
    await shop.round()
    return (await sends()).map((send) => send.kind)
  }

  const walks: [string, string, () => Promise<unknown>][] = [
    [
      'the feed',
      'event',
      () => saveOrder(shop.payload, anOrder({ customerEmail: adalgisa.email })),
    ],
    [
      'the history',
      'past-event',
      async () => {
        const createdAt = '2025-06-01T12:00:00.000Z'
        await savePastOrders(shop.payload, [{ createdAt, customerEmail: adalgisa.email }])
        const lastYear = { from: '2025-01-01', to: '2026-01-01' }
        await shop.parts.histories.start(lastYear, { startedBy: undefined })
      },
    ],
  ]

  it.each(walks)('is lost when %s has read an order before and stores later', async (...walk) => {
    const [, eventKind, begin] = walk
    let erase: (() => Promise<unknown>) | undefined
    shop = await openErasureShop(kind, {
      marketing: {
        // It runs after an order is read, and before its events are stored.
        async beforeEvent(event) {
          const once = erase
          erase = undefined
          await once?.()
          return event
        },
      },
    })
    const { id } = await shop.create('users', account)
    await begin()
    // Klaviyo takes nothing, so that what is stored late waits.
    const fault = shop.standIn.faults.add({ kind: 'throttle', seconds: 300 })
    erase = () => shop.remove(id)
    await expect.poll(afterRound).toContain(eventKind)
    expect(await shop.erasures()).toMatchObject([{ state: 'erased' }])
    shop.move(50_000)
    await expect.poll(afterRound).toEqual(['erase'])
    fault.remove()
    await shop.finish()
    expect(shop.standIn.state.events).toEqual([])
    expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeUndefined()
  })

  it('is looked for within a minute, though the clock was set back by an hour', async () => {
    shop = await openErasureShop(kind)
    const { id } = await shop.create('users', account)
    await shop.remove(id)
    shop.setClock(-3_600_000)
    await shop.round()
    expect(await shop.erasures()).toMatchObject([{ state: 'erased' }])
    shop.move(46_000)
    await shop.round()
    expect(await shop.erasures()).toMatchObject([{ state: 'waiting' }])
  })

  it('is not sent by another process that has taken it already', async () => {
    shop = await openErasureShop(kind)
    const { id } = await shop.create('users', account)
    const profile = { email: adalgisa.email }
    const event = { name: 'Behind it', uniqueId: 'behind', properties: {} }
    const acceptedAt = new Date()
    await shop.parts.outbox.store([
      { key: 'held', message: { kind: 'identify', profile }, acceptedAt },
      { key: 'behind', message: { kind: 'event', profile, event }, acceptedAt },
    ])
    const other = await shop.join()
    const held = holdCalls(shop)
    const delivering = shop.runTask(other)
    await held.arrived
    await shop.remove(id)
    held.letGo(new TypeError('The connection is lost'))
    await delivering
    expect((await sends()).map((send) => send.kind)).toEqual(['erase'])
    expect(shop.standIn.state.profiles.size).toBe(0)
    await shop.finish()
    expect(shop.standIn.state.events).toEqual([])
    expect(shop.standIn.state.profiles.size).toBe(0)
  })
})
