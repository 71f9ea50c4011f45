import type { SQL } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import { lastNight } from '../../core/workers/last-night.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import { restAfter } from '../delivery/did.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import { keyFeatures } from '../klaviyo/key-scopes.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { createCouponCalls, type CouponCalls } from './coupon-calls.js'
import { couponWork, type CouponCodes, type CouponWork } from './coupon-codes.js'
import { keepCouponProgress, readCouponProgress, type CouponProgress } from './coupon-progress.js'
import { createCouponStock, type Coupons } from './coupon-stock.js'

/** How often it is looked whether this process delivers, and has a key. */
const lookEveryMs = 5_000

/** What is known as long as this process has the lease. */
interface Session {
  isLeaseHeld: SQL
  work: CouponWork
  calls: CouponCalls
  keepStock: ReturnType<typeof createCouponStock>
  progress: CouponProgress | undefined
}

/** Keeps a stock of the store's codes at Klaviyo, and tells it which were used. */
export function createCouponSync(
  shop: Shop,
  need: WorkerParts &
    DeliveryParts &
    KlaviyoParts &
    MarketingSettingsParts & { codes: CouponCodes },
  coupons: Coupons,
): Worker {
  const { payload, effects, options } = shop
  const { deliverer, klaviyoSessions, marketingSettings } = need
  const rest = createRest(shop)
  let session: Session | undefined

  async function open(isLeaseHeld: SQL): Promise<Session> {
    const work = couponWork(need.codes, { isLeaseHeld, now: effects.now })
    // The process before does not know whether Klaviyo got what it was posting.
    await work.noteLost()
    const calling = { ...need, work, coupon: coupons.id }
    const own: Session = {
      isLeaseHeld,
      work,
      calls: createCouponCalls(shop, calling),
      keepStock: createCouponStock(shop, {
        ...calling,
        coupons,
        progress: () => own.progress,
        note: async (news) => own.progress && keep(own, { ...own.progress, ...news }),
      }),
      progress: await readCouponProgress(payload),
    }
    return own
  }

  async function keep(own: Session, progress: CouponProgress): Promise<void> {
    // Who has lost the lease has nothing to say.
    if (deliverer.isLeaseHeld() !== own.isLeaseHeld) return
    await keepCouponProgress(payload, progress)
    own.progress = progress
  }

  async function turn(): Promise<void> {
    rest.for(lookEveryMs)
    const isLeaseHeld = deliverer.isLeaseHeld()
    if (isLeaseHeld === undefined) return
    const { privateApiKey } = await marketingSettings.get()
    if (privateApiKey === '' || klaviyoSessions.areOff(keyFeatures.coupons.calls)) return
    if (session?.isLeaseHeld !== isLeaseHeld) session = await open(isLeaseHeld)
    const { calls, keepStock } = session
    await begin(session, markOfKey(privateApiKey))
    const did = [await calls.look(), await calls.tell(), await calls.send(), await keepStock()]
    restAfter(rest, did)
  }

  /** What a new account and a new night begin with. */
  async function begin(own: Session, key: string): Promise<void> {
    const now = effects.now()
    if (own.progress?.key !== key) {
      await own.work.beginAccount()
      await keep(own, { key, nightAt: now })
    } else if (own.progress.nightAt < lastNight(now, options.timezone).toJSDate()) {
      await own.work.beginNight()
      await keep(own, { ...own.progress, nightAt: now })
    }
  }

  return { name: 'coupons', isLong: true, next: () => rest.next(turn) }
}
