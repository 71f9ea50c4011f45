import type { PayloadRequest } from 'payload'
import type { CartParts } from '../../carts/parts.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { defineParts } from '../../core/feature.js'
import { featureMatters } from '../../core/matter.js'
import { textOrNumber } from '../../core/payload/document-value.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { Feed } from '../../core/workers/worker.js'
import type { siteOptions } from '../../shop/sites/site-options.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { createCursor, createFeed, dayMs } from '../feeds/feed.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { ProductFeedParts } from '../product-feed/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { createCatalogProducts, type CatalogProducts } from './catalog-products.js'
import { createCatalogSync, lookEveryMs } from './catalog-sync.js'
import { readProgress } from './catalog-progress.js'
import { catalogRows } from './catalog-rows.js'
import { createSoldOut } from './sold-out.js'
import { catalogTable } from './catalog-table.js'
import { catalogMatters, type CatalogFacts } from './matters.js'

export type CatalogParts = ReturnType<typeof build>

export type CatalogStatus = NonNullable<Awaited<ReturnType<CatalogParts['catalogStatus']>>>

type Need = SiteParts &
  CartParts &
  WorkerParts &
  DeliveryParts &
  KlaviyoParts &
  ProductFeedParts &
  MarketingSettingsParts

function build(shop: Shop<OptionsOf<typeof siteOptions>>, parts: Need) {
  const { publicProducts, cartSchema: schema } = parts
  const rows = catalogRows(shop.database)
  const table = catalogTable(rows)
  const products =
    publicProducts &&
    schema &&
    createCatalogProducts(shop, { ...parts, table, publicProducts, schema })
  return {
    /** Undefined in a store without carts. */
    catalogFeed: products && createCatalogFeed(shop, { ...parts, products }),
    /** Undefined in a store without carts. */
    catalogSync: products && createCatalogSync(shop, { ...parts, rows, table, products }),
    /** Undefined in a store without carts. */
    soldOut:
      publicProducts &&
      schema &&
      products &&
      createSoldOut(shop, { ...parts, products, publicProducts, schema }),
    /** Undefined while Klaviyo reads the product feed. */
    catalogStatus: async () => {
      if (products === undefined || !(await isByApi(parts))) return undefined
      const { comparedAt, run } = (await readProgress(shop.payload)) ?? {}
      const hasUrl = (await products.view()) !== undefined
      return { ...(await table.counts()), comparedAt, comparingSince: run?.begunAt, hasUrl }
    },
    /** What Klaviyo refuses; undefined also while it reads the product feed. */
    catalogRefused: async (): Promise<CatalogFacts['refused']> => {
      const refused = (await isByApi(parts)) ? await table.refused() : undefined
      if (refused === undefined) return undefined
      const { title, name } = refused.entry.wish?.attributes ?? {}
      return { ...refused, title: textOrNumber(title ?? name ?? refused.entry.entryId) }
    },
    /** Called within the transaction in which a product loses something, which leaves no date of its own. */
    catalogLoss: async (product: DocumentId, req: PayloadRequest) => {
      const connection = await shop.database.within(req)
      await table.readAgain([product], { mark: shop.effects.uuid(), connection })
    },
  }
}

const isByApi = async ({
  marketingSettings,
}: Pick<MarketingSettingsParts, 'marketingSettings'>): Promise<boolean> =>
  (await marketingSettings.get()).catalog === 'api'

/** Finds the products that were changed, while the catalog is sent. */
function createCatalogFeed(
  shop: Shop,
  { products, marketingSettings }: MarketingSettingsParts & { products: CatalogProducts },
): Feed {
  const { payload, waits } = shop
  const viewNow = async () => ((await isByApi({ marketingSettings })) ? products.view() : undefined)
  const feed = createFeed(
    shop,
    {
      name: 'catalog',
      quietMs: 0,
      firstBackMs: dayMs,
      changedAfter: async (from, range) => products.changedAfter(from, range),
      async report(ids) {
        const view = await viewNow()
        const isDone = view === undefined || (await products.read(ids.map(String), view))
        return { sends: [], hasFailed: !isDone }
      },
    },
    { cursor: createCursor(payload, 'catalog'), store: () => Promise.resolve() },
  )
  return {
    name: feed.name,
    next: async () =>
      (await viewNow()) ? feed.next() : { nextAt: new Date(waits.now().getTime() + lookEveryMs) },
    async catchUp(deadline) {
      if (await viewNow()) await feed.catchUp(deadline)
    },
  }
}

export const catalogParts = defineParts({
  build,
  matters: (_shop: Shop, { catalogRefused }: CatalogParts) =>
    featureMatters(catalogMatters, async () => ({ refused: await catalogRefused() })),
  workers: (_shop: Shop, { catalogFeed, catalogSync }: CatalogParts) =>
    [catalogFeed, catalogSync].filter((worker) => worker !== undefined),
})
