import type { CouponCode } from '../../../dev/klaviyo/coupons.ts'
import type { GivenCoupons, MadeCode } from '../../../src/marketing/coupons/coupon-options.js'
import { simulatedStore, type SimulatedSetup } from '../../support/simulated-store.js'
import type { WholeParts } from '../../support/parts.js'
import type { DatabaseKind } from '../../support/store-config.js'

const second = 1_000

/** The store's own table of codes. */
export interface CodeMaker {
  /** What was asked for, and how many codes. */
  asked: number[]
  /** What happens in place of making codes. */
  instead: (() => MadeCode[] | Promise<MadeCode[]>) | undefined
  expiresAt: Date | undefined
}

const partsOf = ({ coupons }: WholeParts) => {
  if (coupons === undefined) throw new Error('This store has no coupons.')
  return coupons
}

/** A simulated store that gives Klaviyo codes, and what Klaviyo has of them. */
export function couponShop(
  kind: DatabaseKind,
  coupons: Partial<GivenCoupons> = {},
  setup: SimulatedSetup = {},
) {
  const maker: CodeMaker = { asked: [], instead: undefined, expiresAt: undefined }
  let made = 0
  const makeCodes: GivenCoupons['makeCodes'] = ({ count }) => {
    maker.asked.push(count)
    if (maker.instead) return maker.instead()
    return Array.from({ length: count }, () => ({
      code: `TEA-${String(++made).padStart(6, '0')}`,
      ...(maker.expiresAt && { expiresAt: maker.expiresAt }),
    }))
  }
  const store = simulatedStore(kind, {
    workers: (parts) => [partsOf(parts).feed, partsOf(parts).sync],
    cleared: ['carts', 'products', 'marketing-coupon-codes', 'request-counts', 'payload-kv'],
    ...setup,
    options: {
      ...setup.options,
      marketing: { coupons: { id: 'COME-BACK', stock: 10, makeCodes, ...coupons } },
    },
  })
  return Object.assign(store, {
    maker,
    async settle(ms = 30 * second) {
      const end = store.now() + ms
      while (store.now() < end) {
        await store.pass()
        store.move(ms > 60 * second ? 10 * second : second)
      }
    },
    /** One thing is done, and no other. */
    async oneStep() {
      await store.parts.deliverer.take()
      const step = await partsOf(store.parts).sync.next()
      if ('run' in step) await step.run()
    },
    problem: () => partsOf(store.parts).problem(),
    /** What Klaviyo has. */
    codes: (): CouponCode[] => [...store.standIn.state.coupons.codes.values()],
    free: () => store.standIn.state.coupons.free().length,
    couponCalls: (since = 0) =>
      store.standIn.state.calls
        .filter(({ name, at }) => at >= since && name.includes('coupon'))
        .map(({ name }) => name),
    async states(): Promise<Record<string, number>> {
      const { docs } = await store.payload.db.find<{ state: string }>({
        collection: 'marketing-coupon-codes',
        where: {},
        pagination: false,
      })
      const counts: Record<string, number> = {}
      for (const { state } of docs) counts[state] = (counts[state] ?? 0) + 1
      return counts
    },
  })
}
