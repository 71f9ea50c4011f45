import { sql, type SQL } from 'drizzle-orm'
import type { CartSchema } from '../../carts/cart-documents.js'
import { column, optionalColumn } from '../../core/database/database.js'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { homeUrl } from '../../shop/sites/home-url.js'
import type { siteOptions } from '../../shop/sites/site-options.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { parseUrl } from '../../core/http/public-origin.js'
import { guarded } from '../feeds/store-code.js'
import type { Changed, Position } from '../feeds/feed.js'
import type { PublicProduct, PublicProducts } from '../product-feed/public-products.js'
import type { DeliveryParts } from '../delivery/parts.js'
import type { ProductFeedView } from '../product-feed/product-feed-item.js'
import {
  entriesOf,
  hidden,
  isOnlyVariant,
  isSoldOut,
  keyOf,
  type WantedEntry,
} from './catalog-entries.js'
import type { StoredEntry } from './catalog-rows.js'
import type { CatalogTable } from './catalog-table.js'

interface ProductsNeed extends SiteParts, Pick<DeliveryParts, 'outbox'> {
  table: CatalogTable
  publicProducts: PublicProducts
  schema: CartSchema
}

/** So many products are read together. */
export const productsAtOnce = 100

/** Reads products, and writes what Klaviyo is to have of them. */
export function createCatalogProducts(
  shop: Shop<OptionsOf<typeof siteOptions>>,
  { table, publicProducts, schema, sites, outbox }: ProductsNeed,
) {
  const { payload, database, options, effects } = shop
  const { productsSlug, variantsSlug } = schema
  const home = homeUrl(payload)

  /** Undefined for a shop that does not know its own URL: its products have no pages. */
  async function view(): Promise<ProductFeedView | undefined> {
    const site = await sites.at(undefined)
    const baseUrl = site?.baseUrl ?? home
    if (parseUrl(baseUrl) === undefined) return undefined
    const currency = publicProducts.currencies[0] ?? ''
    return { site, baseUrl, currency, productUrl: options.productUrl }
  }

  /** The ids of the documents that are neither deleted nor in the trash. */
  async function present(slug: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const known = ids.flatMap((id) => readDocumentId(payload, slug, id) ?? [])
    const documents = database.table(slug)
    const deletedAt = optionalColumn(documents, 'deletedAt')
    const rows = await database.rows(sql`select ${column(documents, 'id')} as "id" from ${documents}
      where ${database.isOneOf(column(documents, 'id'), known)}
        and ${deletedAt ? sql`${deletedAt} is null` : sql`true`}`)
    return new Set(rows.map(({ id }) => String(id)))
  }

  /** What becomes of entries that the shop does not show any more. */
  async function unseen(
    entries: readonly StoredEntry[],
    visible: ReadonlySet<string>,
  ): Promise<WantedEntry[]> {
    if (entries.length === 0) return []
    const variants = entries.filter(({ kind }) => kind === 'variant').map(({ entryId }) => entryId)
    const products = await present(productsSlug, [...new Set(entries.map((each) => each.product))])
    const ofVariants =
      variantsSlug === undefined ? new Set<string>() : await present(variantsSlug, variants)
    return entries.map(({ kind, entryId, product, wish }) => {
      const isOwn =
        kind === 'item' ||
        (isOnlyVariant(entryId) ? !visible.has(product) : ofVariants.has(entryId))
      const isThere = products.has(product) && isOwn
      return { kind, entryId, product, wish: isThere && wish ? hidden(wish) : null }
    })
  }

  /** Undefined when the store's own code failed. */
  const guardedEntries = (product: PublicProduct, of: ProductFeedView) =>
    guarded(shop, () => Promise.resolve(entriesOf(product, of)), {
      about: { productId: product.id },
      sentence: 'The catalog leaves a product as it was, which failed',
    })

  /** Who asks for what is in stock again, and is sold out later, asks anew. */
  async function endWaiting(
    wanted: ReadonlyMap<string, WantedEntry>,
    before: readonly StoredEntry[],
  ): Promise<void> {
    const back = before.filter(({ id, wish }) => {
      const now = wanted.get(id)
      return isSoldOut(wish) && now !== undefined && !isSoldOut(now.wish)
    })
    if (back.length > 0) await outbox.endWaiting(back.map(({ entryId }) => entryId))
  }

  async function readSome(ids: readonly string[], of: ProductFeedView): Promise<boolean> {
    const seen = `${effects.now().toISOString()} ${effects.uuid()}`
    const before = await table.ofProducts(ids)
    const known = ids.flatMap((id) => readDocumentId(payload, productsSlug, id) ?? [])
    const found = await publicProducts.some(known, '')
    const visible = new Set(found.map(({ id }) => String(id)))
    const wanted = new Map<string, WantedEntry>()
    const failed = new Set<string>()
    for (const product of found) {
      const own = await guardedEntries(product, of)
      if (own === undefined) failed.add(String(product.id))
      for (const entry of own ?? []) wanted.set(keyOf(entry), entry)
    }
    const kept = before.filter(({ product }) => failed.has(product))
    const missing = before.filter(({ id, product }) => !wanted.has(id) && !failed.has(product))
    await endWaiting(wanted, before)
    const all = [...wanted.values(), ...(await unseen(missing, visible)), ...kept]
    if (!(await table.want(all, { before, seen })))
      await table.readAgain(ids, { mark: effects.uuid() })
    return failed.size === 0
  }

  /**
   * Writes what is wanted of these products now: they are read with all their variants. False when the store's own
   * code failed for one, which stays as it was.
   */
  async function read(ids: readonly string[], of: ProductFeedView): Promise<boolean> {
    let isWhole = true
    for (let first = 0; first < ids.length; first += productsAtOnce)
      isWhole = (await readSome(ids.slice(first, first + productsAtOnce), of)) && isWhole
    return isWhole
  }

  return {
    view,

    entriesOf: guardedEntries,

    read,

    /** The same of the next products of the whole shop. Resolves to the last of them; undefined at the end. */
    async readAfter(
      id: DocumentId | undefined,
      of: ProductFeedView,
    ): Promise<DocumentId | undefined> {
      const documents = database.table(productsSlug)
      const own = column(documents, 'id')
      const rows = await database.rows(sql`select ${own} as "id" from ${documents}
        where ${id === undefined ? sql`true` : sql`${own} > ${id}`} order by ${own} limit ${productsAtOnce}`)
      const ids = rows.map((row) => row.id as DocumentId)
      await read(ids.map(String), of)
      return ids.length < productsAtOnce ? undefined : ids.at(-1)
    },

    /** The products that were changed, or whose variants were, in the order of the changes. */
    async changedAfter(
      from: Position,
      { until, now, limit }: { until: Date; now: Date; limit: number },
    ): Promise<Changed[]> {
      const moment = from.at.toISOString()
      const rowsOf = (slug: string, name: string): SQL => {
        const documents = database.table(slug)
        const [id, at] = [column(documents, name), column(documents, 'updatedAt')]
        const isAfter =
          from.id === undefined
            ? sql`${at} > ${moment}`
            : sql`${at} >= ${moment} and (${at} > ${moment} or ${id} > ${from.id})`
        return sql`select ${id} as "id", ${at} as "at" from ${documents} where ${id} is not null
          and ${isAfter} and (${at} <= ${until.toISOString()} or ${at} > ${now.toISOString()})`
      }
      const changes = [
        rowsOf(productsSlug, 'id'),
        ...(variantsSlug === undefined ? [] : [rowsOf(variantsSlug, 'product')]),
      ]
      const rows = await database.rows(
        sql`${sql.join(changes, sql` union `)} order by "at", "id" limit ${limit}`,
      )
      return rows.map((row) => ({ at: new Date(String(row.at)), id: row.id as DocumentId }))
    },
  }
}

export type CatalogProducts = ReturnType<typeof createCatalogProducts>
