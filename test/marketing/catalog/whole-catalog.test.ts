import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { endLease } from '../../support/end-lease.js'
import { databaseKinds } from '../../support/store.js'
import { catalogShop, image } from './catalog-shop.js'

/** `VARIANTS=20000 npx vitest run test/marketing/catalog/whole-catalog` is a large shop, and says what it costs. */
const variants = Number(process.env.VARIANTS ?? 400)
const variantsOfProduct = 5
const second = 1_000

describe.each(databaseKinds)('A whole catalog (%s)', (kind) => {
  const shop = catalogShop(kind)

  async function fill(variants: number): Promise<void> {
    const create = async (collection: 'products' | 'variants', data: Record<string, unknown>) =>
      (await shop.payload.db.create({ collection, data, req: {} })) as { id: number }
    for (let place = 0; place < variants / variantsOfProduct; place++) {
      const shown = { image, priceInUSD: 1200, _status: 'published' }
      const of = { title: `Tea ${place}`, enableVariants: true, ...shown }
      const product = (await create('products', of)).id
      for (let size = 0; size < variantsOfProduct; size++)
        await create('variants', { product, title: `Size ${size}`, inventory: size, ...shown })
    }
  }

  /** Passes until Klaviyo has everything. Resolves to the seconds that it took, by the clock of the shop. */
  async function untilDone(
    variants: number,
    each: () => Promise<void> = () => Promise.resolve(),
  ): Promise<number> {
    const begin = shop.now()
    const isDone = async () =>
      (await shop.counts('done')) === variants + variants / variantsOfProduct &&
      (await shop.counts('ask')) === 0
    while (!(await isDone())) {
      await shop.pass()
      await each()
      shop.move(second)
      if (shop.now() > begin + 3_600 * second) throw new Error('It takes more than an hour.')
    }
    return (shop.now() - begin) / second
  }

  const callCounts = () => {
    const counts: Record<string, number> = {}
    for (const name of shop.catalogCalls()) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }

  it(
    'reaches Klaviyo within its limits, each entry once, whatever processes die on the way',
    { timeout: 1_800_000 },
    async () => {
      const { state } = shop.account({ catalogSeconds: 20 })
      shop.callMs = 150
      await fill(variants)
      let passes = 0
      shop.standIn.faults.add({
        kind: 'reset',
        isProcessed: true,
        calls: ['create-items', 'create-variants'],
        times: 2,
      })
      const seconds = await untilDone(variants, async () => {
        passes += 1
        if (passes % 7 !== 0) return
        await shop.parts.deliverer.giveBack()
        await endLease(sqlDatabase(shop.payload))
      })
      expect(state.throttled).toBe(0)
      expect(shop.entries('variant')).toHaveLength(variants)
      expect(shop.entries('item')).toHaveLength(variants / variantsOfProduct)
      const cost = { variants, seconds, calls: callCounts() }
      if (process.env.VARIANTS !== undefined) console.info(cost)
      // No variant comes before its item.
      const errors = [...state.catalog.jobs.values()].flatMap((job) => job.errors)
      expect(errors.filter(({ code }) => code !== 'duplicate_object')).toEqual([])
      // What was in the jobs whose answers were lost is refused as there already, and no other entry.
      const twice = shop.entries('variant').filter(({ arrivals }) => arrivals > 1)
      expect(twice.length).toBeLessThanOrEqual(200)

      // A night that changes nothing sends nothing.
      const sent = () => shop.catalogCalls().filter((name) => /^(create|update|delete)-/.test(name))
      const sentBefore = sent().length
      shop.passNight()
      await shop.settle(5 * second)
      await untilDone(variants)
      if (process.env.VARIANTS !== undefined) console.info({ withNight: callCounts() })
      expect(sent()).toHaveLength(sentBefore)
      expect(state.throttled).toBe(0)
    },
  )

  it('sends no variant before Klaviyo has its item', async () => {
    shop.account({ catalogSeconds: 20 })
    await fill(100)
    const asked = () => new Set(shop.catalogCalls())
    await shop.settle(15 * second)
    expect(asked()).toContain('create-items')
    expect(asked()).not.toContain('create-variants')
    await untilDone(100)
    expect(asked()).toContain('create-variants')
  })
})
