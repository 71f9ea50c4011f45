import type { SQL } from 'drizzle-orm'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import { putOff, restAfter, type Did } from '../delivery/did.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import { keyFeatures } from '../klaviyo/key-scopes.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { ProductFeedView } from '../product-feed/product-feed-item.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { createCatalogCalls, type CatalogCalls } from './catalog-calls.js'
import { shopMark } from './catalog-entries.js'
import { productsAtOnce, type CatalogProducts } from './catalog-products.js'
import {
  forgetProgress,
  isComparisonDue,
  keepProgress,
  readProgress,
  type CatalogProgress,
  type CatalogRun,
} from './catalog-progress.js'
import type { CatalogRows } from './catalog-rows.js'
import type { CatalogTable } from './catalog-table.js'
import { catalogWork, type CatalogWork } from './catalog-work.js'

/** How often the setting is read while the catalog is not sent. It is cached anyway. */
export const lookEveryMs = 5_000

export interface SyncNeed extends WorkerParts, DeliveryParts, KlaviyoParts, MarketingSettingsParts {
  rows: CatalogRows
  table: CatalogTable
  products: CatalogProducts
}

/** What is known as long as this process has the lease. */
interface Session {
  isLeaseHeld: SQL
  work: CatalogWork
  calls: CatalogCalls
  progress: CatalogProgress | undefined
}

/** Keeps Klaviyo's catalog as the shop wants it, and compares the two each night. */
export function createCatalogSync(shop: Shop, need: SyncNeed): Worker {
  const { payload, effects, options } = shop
  const { rows, table, products, deliverer, klaviyo, klaviyoSessions, marketingSettings } = need
  const rest = createRest(shop)
  let session: Session | undefined

  async function turn(): Promise<void> {
    rest.for(lookEveryMs)
    const isLeaseHeld = deliverer.isLeaseHeld()
    if (isLeaseHeld === undefined) return
    if (session?.isLeaseHeld !== isLeaseHeld) {
      const work = catalogWork(rows, isLeaseHeld)
      const calls = createCatalogCalls(shop, { work, klaviyo, klaviyoSessions })
      session = { isLeaseHeld, work, calls, progress: await readProgress(payload) }
    }
    const { catalog, privateApiKey } = await marketingSettings.get()
    if (catalog !== 'api') return stop(session)
    const view = privateApiKey === '' ? undefined : await products.view()
    if (view === undefined || klaviyoSessions.areOff(keyFeatures.catalog.calls)) return
    restAfter(rest, await steps(session, { key: markOfKey(privateApiKey), view }))
  }

  /** Nobody knows what Klaviyo will have when the merchant chooses the API again. */
  async function stop(own: Session): Promise<void> {
    if (own.progress === undefined) return
    await forgetProgress(payload)
    own.progress = undefined
  }

  async function steps(
    own: Session,
    { key, view }: { key: string; view: ProductFeedView },
  ): Promise<Did[]> {
    const { calls, work } = own
    if (own.progress?.key !== key) {
      await work.forget()
      await keep(own, { key })
    }
    const did = [await compare(own, view), await readStale(view), await calls.look()]
    if (!(await work.hasWork())) return did
    await work.removeGone()
    // What goes while Klaviyo's list is read may shift its pages.
    const isListing = own.progress?.run !== undefined && own.progress.run.phase !== 'shop'
    return [...did, await calls.find(), await calls.send({ mayDelete: !isListing })]
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
      await own.work.doubtAll()
      await keep(own, { ...progress, run: { begunAt: now, phase: 'shop' } })
      return 'something'
    }
    const goOn = (next: Omit<CatalogRun, 'begunAt'>) =>
      keep(own, { ...progress, run: { begunAt: run.begunAt, ...next } })
    if (run.phase === 'shop') {
      const after = await products.readAfter(run.after, view)
      if (after === undefined) await table.notSeenSince(run.begunAt.toISOString())
      await goOn(after === undefined ? { phase: 'items' } : { phase: 'shop', after })
      return 'something'
    }
    const page = await readPage(run)
    if (!('found' in page)) {
      // Klaviyo may not know an old page any more.
      if (page.isRefused) await goOn({ phase: run.phase })
      return page.waitUntil
    }
    const ours = [...page.found].filter(([, entry]) => isOf(shopMark(view), entry))
    await own.work.adopt(
      kindOf(run),
      ours.map(([id]) => id),
    )
    if (page.next !== undefined) await goOn({ phase: run.phase, cursor: page.next })
    else if (run.phase === 'items') await goOn({ phase: 'variants' })
    else await keep(own, { key: progress.key, comparedAt: effects.now() })
    return 'something'
  }

  /** A page of what Klaviyo has, or when to ask again. */
  async function readPage({ cursor, ...run }: CatalogRun) {
    const answer = await klaviyoSessions.ask({
      name: 'catalog-list',
      items: 100,
      make: (given) => klaviyo.catalogPage({ kind: kindOf(run), cursor }, given),
    })
    if (answer !== undefined && 'found' in answer) return answer
    return {
      isRefused: answer !== undefined && 'failed' in answer && answer.failed.is === 'refused',
      waitUntil: putOff(shop, answer),
    }
  }

  return { name: 'catalog', isLong: true, next: () => rest.next(turn) }
}

const kindOf = ({ phase }: Pick<CatalogRun, 'phase'>) => (phase === 'items' ? 'item' : 'variant')

/** A merchant's own entries, and those of another shop with the same account, are left alone. */
const isOf = (shop: string, { custom_metadata: metadata }: Readonly<Record<string, unknown>>) =>
  typeof metadata === 'object' && metadata !== null && 'shop' in metadata && metadata.shop === shop
