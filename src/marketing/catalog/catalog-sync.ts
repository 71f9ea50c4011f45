import type { SQL } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { ProductFeedView } from '../product-feed/product-feed-item.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { createCatalogCalls, type CatalogCalls, type Did } from './catalog-calls.js'
import { shopMark } from './catalog-entries.js'
import type { CatalogProducts } from './catalog-products.js'
import {
  isComparisonDue,
  keepProgress,
  readProgress,
  type CatalogProgress,
  type CatalogRun,
} from './catalog-progress.js'
import type { CatalogTable } from './catalog-table.js'

/** How often the setting is read while the catalog is not sent. It is cached anyway. */
export const lookEveryMs = 5_000

/** How long at most until it looks for what other processes have found. */
const pollEveryMs = 1_000

const productsAtOnce = 100

export interface SyncNeed extends WorkerParts, DeliveryParts, KlaviyoParts, MarketingSettingsParts {
  table: CatalogTable
  products: CatalogProducts
}

/** What is known as long as this process has the lease. */
interface Session {
  isLeaseHeld: SQL
  calls: CatalogCalls
  progress: CatalogProgress | undefined
}

/** Keeps Klaviyo's catalog as the shop wants it, and compares the two each night. */
export function createCatalogSync(shop: Shop, need: SyncNeed): Worker {
  const { payload, effects, options } = shop
  const { table, products, deliverer, klaviyo, klaviyoSessions, marketingSettings } = need
  const rest = createRest(shop)
  let session: Session | undefined

  async function turn(): Promise<void> {
    rest.for(lookEveryMs)
    const isLeaseHeld = deliverer.isLeaseHeld()
    const { catalog, privateApiKey } = await marketingSettings.get()
    const view = catalog === 'api' && privateApiKey !== '' ? await products.view() : undefined
    if (isLeaseHeld === undefined || view === undefined) return
    if (session?.isLeaseHeld !== isLeaseHeld) {
      const calls = createCatalogCalls(shop, { ...need, isLeaseHeld })
      session = { isLeaseHeld, calls, progress: await readProgress(payload) }
    }
    const did = await steps(session, { key: markOfKey(privateApiKey), view })
    const waits = did.filter((each) => typeof each === 'number')
    if (did.includes('something')) rest.for(0)
    else rest.until(Math.min(rest.now() + pollEveryMs, ...waits))
  }

  async function steps(
    own: Session,
    { key, view }: { key: string; view: ProductFeedView },
  ): Promise<Did[]> {
    const { calls, isLeaseHeld } = own
    if (own.progress?.key !== key) {
      await table.forget(isLeaseHeld)
      await keep(own, { key })
    }
    const did = [await compare(own, view), await calls.look()]
    if (!(await table.hasWork())) return did
    await table.removeGone(isLeaseHeld)
    return [...did, await readStale(view), await calls.find(), await calls.send()]
  }

  async function keep(own: Session, progress: CatalogProgress): Promise<void> {
    await keepProgress(payload, progress)
    own.progress = progress
  }

  async function readStale(view: ProductFeedView): Promise<Did> {
    const stale = await table.stale(productsAtOnce)
    if (stale.length === 0) return 'nothing'
    await products.read(stale, view)
    return 'something'
  }

  /** One step of a comparison: all products are read, then Klaviyo is asked for all that it has. */
  async function compare(own: Session, view: ProductFeedView): Promise<Did> {
    const { progress } = own
    if (progress === undefined) return 'nothing'
    const { run } = progress
    if (run === undefined) {
      const now = effects.now()
      const { timezone } = options
      if (!isComparisonDue(progress, { now, timezone })) return 'nothing'
      await keep(own, { ...progress, run: { begunAt: now, phase: 'shop' } })
      return 'something'
    }
    const goOn = (next: Omit<CatalogRun, 'begunAt'>) =>
      keep(own, { ...progress, run: { begunAt: run.begunAt, ...next } })
    if (run.phase === 'shop') {
      await goOn(await readShop(run, { isLeaseHeld: own.isLeaseHeld, view }))
      return 'something'
    }
    const page = await readKlaviyo(run, view)
    if (typeof page === 'number') return page
    if (page !== 'refused' && page.next !== undefined)
      await goOn({ phase: run.phase, cursor: page.next })
    // Klaviyo may not know an old page any more.
    else if (page === 'refused') await goOn({ phase: run.phase })
    else if (run.phase === 'items') await goOn({ phase: 'variants' })
    else await keep(own, { key: progress.key, comparedAt: effects.now() })
    return 'something'
  }

  async function readShop(
    { after, begunAt }: CatalogRun,
    { isLeaseHeld, view }: { isLeaseHeld: SQL; view: ProductFeedView },
  ): Promise<Omit<CatalogRun, 'begunAt'>> {
    const last = await products.readAfter(after, view)
    if (last !== undefined) return { phase: 'shop', after: last }
    await table.notSeenSince(begunAt.toISOString(), isLeaseHeld)
    await table.doubtAll(isLeaseHeld)
    return { phase: 'items' }
  }

  /** Takes in what Klaviyo has of ours. Resolves to the next page, or to when to ask again. */
  async function readKlaviyo({ phase, cursor }: CatalogRun, view: ProductFeedView) {
    const kind = phase === 'items' ? 'item' : 'variant'
    const answer = await klaviyoSessions.ask({
      name: 'catalog-list',
      items: 100,
      make: (given) => klaviyo.catalogPage({ kind, cursor }, given),
    })
    if (answer === undefined || !('found' in answer)) {
      const isRefused = answer !== undefined && 'failed' in answer && answer.failed.is === 'refused'
      if (isRefused && cursor !== undefined) return 'refused'
      return Math.max(answer?.putOffUntil ?? rest.now() + lookEveryMs, rest.now() + 1)
    }
    const ours = [...answer.found].filter(([, entry]) => isOf(shopMark(view), entry))
    await table.adopt(
      kind,
      ours.map(([id]) => id),
    )
    return { next: answer.next }
  }

  return { name: 'catalog', isLong: true, next: () => rest.next(turn) }
}

/** A merchant's own entries, and those of another shop with the same account, are left alone. */
const isOf = (shop: string, { custom_metadata: metadata }: Readonly<Record<string, unknown>>) =>
  typeof metadata === 'object' && metadata !== null && 'shop' in metadata && metadata.shop === shop
