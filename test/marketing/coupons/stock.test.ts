import { beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { endLease } from '../../support/end-lease.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { partsOf } from '../../support/parts.js'
import { databaseKinds } from '../../support/store.js'
import { openUuidStore } from '../../stores/uuid-store.js'
import { couponShop } from './coupon-shop.js'

const minute = 60_000
const day = 24 * 60 * minute

describe.each(databaseKinds)('The stock of coupon codes (%s)', (kind) => {
  const shop = couponShop(kind, { description: '10 % off' })
  beforeEach(() => {
    shop.maker.asked = []
    shop.maker.instead = undefined
    shop.maker.expiresAt = undefined
  })
  const isWhole = () => {
    expect(shop.free()).toBe(10)
    expect(shop.codes().every(({ arrivals }) => arrivals === 1)).toBe(true)
  }

  it('is filled once, for the coupon that the store names', async () => {
    await shop.settle()
    isWhole()
    expect(shop.maker.asked).toEqual([10])
    expect([...shop.standIn.state.coupons.all]).toEqual([['COME-BACK', '10 % off']])
    expect(shop.couponCalls()).toEqual([
      ...['coupon-codes', 'new-coupon', 'coupon-codes', 'coupon-job', 'coupon-state'],
    ])
    const since = shop.now()
    await shop.settle(5 * minute)
    expect(shop.couponCalls(since)).toEqual([])
  })

  it('is filled again when more than half of it is gone, and not before', async () => {
    await shop.settle()
    shop.standIn.state.coupons.give(5)
    await shop.settle(11 * minute)
    expect(shop.free()).toBe(5)
    shop.standIn.state.coupons.give(1)
    await shop.settle(11 * minute)
    isWhole()
    expect(shop.maker.asked).toEqual([10, 6])
  })

  it('has codes that end when the store says, and else after a year', async () => {
    await shop.settle()
    const [code] = shop.codes()
    expect(Math.round(((code?.expiresAt ?? 0) - shop.begin) / day)).toBe(365)
    shop.maker.expiresAt = new Date(shop.now() + 2 * day)
    shop.standIn.state.coupons.give(8)
    await shop.settle(11 * minute)
    expect(shop.codes().filter(({ expiresAt }) => expiresAt < shop.now() + 3 * day)).toHaveLength(8)
    // What has expired counts no more, and is forgotten in the night.
    shop.maker.expiresAt = undefined
    shop.move(3 * day)
    await shop.settle(11 * minute)
    expect(shop.free()).toBe(10)
    expect(await shop.states()).toEqual({ there: 18 })
  })

  it('is filled once by two processes', async () => {
    const other = await shop.join()
    const two = [shop, other]
    for (let turn = 0; turn < 40; turn++) {
      const { payload } = two[turn % 2] ?? shop
      await shop.pass({ payload })
      if (turn % 5 === 0) await partsOf(payload).deliverer.giveBack()
      shop.move(1_000)
    }
    isWhole()
    expect(shop.maker.asked).toEqual([10])
  })

  it('is filled by the process that takes over, whenever the one before died', async () => {
    for (let steps = 0; steps < 12; steps++) {
      await shop.oneStep()
      await shop.parts.deliverer.giveBack()
      await endLease(sqlDatabase(shop.payload))
      shop.move(7_000)
    }
    await shop.settle()
    expect(shop.free()).toBe(10)
  })

  it('is whole when nobody knows whether its job was posted', async () => {
    await shop.settle()
    await shop.payload.db.updateMany({
      collection: 'marketing-coupon-codes',
      where: {},
      data: { state: 'sending', job: 'of a process that died' },
    })
    await shop.parts.deliverer.giveBack()
    await shop.settle()
    expect(shop.codes().map(({ arrivals }) => arrivals)).toEqual(Array(10).fill(2))
    expect(await shop.states()).toEqual({ there: 10 })
    expect(await shop.problem()).toBeUndefined()
    expect(shop.maker.asked).toEqual([10])
  })

  it.each([
    ['the connection breaks before Klaviyo has a job', { kind: 'reset' }],
    ['the connection breaks after Klaviyo has a job', { kind: 'reset', isProcessed: true }],
    ['Klaviyo is out of order', { kind: 'error', status: 503 }],
    ['the answer breaks off', { kind: 'truncate' }],
  ] as const)('is whole when %s, and no code is twice', async (_, fault) => {
    shop.standIn.faults.add({ ...fault, calls: ['coupon-job', 'new-coupon'], times: 2 })
    await shop.settle(2 * minute)
    expect(shop.free()).toBe(10)
    expect(await shop.states()).toEqual({ there: 10 })
    expect(shop.maker.asked).toEqual([10])
  })

  it('waits for Klaviyo, and makes a job that it lost again', async () => {
    shop.account({ catalogSeconds: 60 })
    await shop.settle(20_000)
    expect(await shop.states()).toEqual({ job: 10 })
    shop.standIn.state.coupons.jobs.clear()
    await shop.settle(3 * minute)
    expect(shop.free()).toBe(10)
    expect(await shop.states()).toEqual({ there: 10 })
  })

  it('lacks only the code that Klaviyo refuses late, which the merchant reads, and which goes again at night', async () => {
    const fault = shop.standIn.faults.add({ kind: 'late-poison', marker: '3' })
    await shop.settle(2 * minute)
    const { refused = 0 } = await shop.states()
    expect(refused).toBeGreaterThan(0)
    expect(shop.free()).toBe(10 - refused)
    expect(await shop.problem()).toMatchObject({ detail: 'The value 3 is not valid.' })
    fault.remove()
    shop.move(day)
    await shop.settle(minute)
    expect(await shop.states()).toEqual({ there: 10 })
    expect(await shop.problem()).toBeUndefined()
  })

  it.each(['item', 'data'] as const)(
    'is not made for ever when Klaviyo refuses it at once and says no more than %s',
    async (says) => {
      const marker = 'TEA'
      const fault = shop.standIn.faults.add({ kind: 'poison', says, marker, calls: ['coupon-job'] })
      await shop.settle(60 * minute)
      expect(shop.maker.asked).toEqual([10])
      expect(await shop.problem()).toBeDefined()
      fault.remove()
      shop.move(day)
      await shop.settle(minute)
      isWhole()
    },
  )

  it.each([
    ['throws', () => Promise.reject(new Error('No table.')), 'CODES_NOT_MADE'],
    ['makes what no link can carry', () => [{ code: 'ten percent' }], 'CODES_NOT_MADE'],
    ['makes nothing', () => [], 'CODES_NOT_NEW'],
  ])('is a matter when the store %s, and is tried again', async (_, instead, code) => {
    shop.maker.instead = instead
    await shop.settle(5 * minute)
    expect(shop.maker.asked).toEqual([10])
    expect(await shop.problem()).toMatchObject({ code })
    shop.maker.instead = undefined
    await shop.settle(11 * minute)
    isWhole()
    expect(await shop.problem()).toBeUndefined()
  })

  it('is left alone without a key, and without a scope', async () => {
    await shop.save({ privateApiKey: '' })
    await shop.settle(minute)
    expect(shop.couponCalls()).toEqual([])
    await shop.save({ privateApiKey: 'pk_other' })
    shop.account({ apiKey: 'pk_other', scopes: ['coupon-codes:read'] })
    await shop.settle(20 * minute)
    const { open } = await shop.parts.alerts.matters()
    expect(open.map(({ name, facts }) => [name, facts.scopes])).toContainEqual([
      'couponsOff',
      'coupons:write',
    ])
    expect(shop.maker.asked).toEqual([])
  })

  describe('hears of a used code', () => {
    const statusOf = (code: string | undefined) =>
      shop.codes().find((each) => each.code === code)?.status
    const buyWith = (discountCode: string | undefined) =>
      saveOrder(shop.payload, anOrder({ discountCode }))

    it('within seconds of the order, whatever saved it, and once', async () => {
      await shop.settle()
      const [given, unsent] = shop.standIn.state.coupons.give(2)
      await buyWith(given)
      await shop.settle()
      expect(statusOf(given)).toBe('USED')
      expect(statusOf(unsent)).toBe('ASSIGNED_TO_PROFILE')
      const { id } = await buyWith('SOMETHING-ELSE')
      await shop.settle()
      await shop.payload.db.updateOne({
        collection: 'orders',
        id,
        data: { discountCode: unsent, updatedAt: new Date(shop.now()).toISOString() },
        returning: false,
      })
      await shop.settle()
      expect(statusOf(unsent)).toBe('USED')
      const told = shop.couponCalls().filter((name) => name === 'coupon-code')
      expect(told).toHaveLength(2)
      expect(await shop.states()).toEqual({ there: 8, told: 2 })
    })

    it('also when Klaviyo was out of order, or has the code no more', async () => {
      await shop.settle()
      const [first, second] = shop.standIn.state.coupons.give(2)
      shop.standIn.state.coupons.codes.delete(`COME-BACK-${second}`)
      shop.standIn.faults.add({ kind: 'error', status: 503, calls: ['coupon-code'], times: 2 })
      await buyWith(first)
      await buyWith(second)
      await shop.settle(5 * minute)
      expect(statusOf(first)).toBe('USED')
      expect(await shop.states()).toEqual({ there: 8, told: 2 })
    })

    it('also when it was used while its job was lost', async () => {
      shop.account({ catalogSeconds: 30 })
      await shop.settle(15_000)
      const [code] = [...shop.standIn.state.coupons.jobs.values()].flatMap(({ codes }) => codes)
      await buyWith(code?.code)
      await shop.settle(5_000)
      shop.standIn.settle()
      shop.standIn.state.coupons.jobs.clear()
      await shop.settle(2 * minute)
      expect(statusOf(code?.code)).toBe('USED')
    })
  })
})

describe.each(databaseKinds)('The stock of a store whose ids are uuids (%s)', (kind) => {
  const shop = couponShop(kind, {}, { open: openUuidStore })

  it('is filled, and hears of a used code', async () => {
    await shop.settle()
    expect(shop.free()).toBe(10)
    const [code] = shop.standIn.state.coupons.give(1)
    await saveOrder(shop.payload, anOrder({ discountCode: code }))
    await shop.settle()
    expect(await shop.states()).toEqual({ there: 9, told: 1 })
  })
})

describe.each(databaseKinds)('A large stock of coupon codes (%s)', (kind) => {
  const shop = couponShop(kind, { stock: 3_000 })

  it('comes in jobs of a thousand within the limits', async () => {
    shop.account({ catalogSeconds: 5 })
    await shop.settle(2 * minute)
    expect(shop.free()).toBe(3_000)
    expect(shop.maker.asked).toEqual([1_000, 1_000, 1_000])
    const jobs = shop.standIn.state.calls.filter(({ name }) => name === 'coupon-job')
    expect(jobs.map(({ items }) => items)).toEqual([1_000, 1_000, 1_000])
    expect(shop.standIn.state.throttled).toBe(0)
  })
})
