import { createLocalReq, type BasePayload, type PayloadRequest, type Where } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { FeedProduct, FeedProducts } from '../product-feed.js'
import type { CartSchema } from './cart-documents.js'
import { idOf, valueAt } from './document-value.js'
import type { NamedField } from './field-search.js'
import { fieldAt } from './product-paths.js'
import { wordsOf } from './rich-text.js'
import { createGate } from './turns.js'

type Document = Record<string, unknown> & { id: DocumentId }

/** Products a page: two or three queries each. */
const pageSize = 200

/**
 * The extension's products as a visitor sees who is not logged in: under the collections' own access
 * rules and hooks. One page is read at a time, whoever asks, so that feeds never crowd out shoppers.
 */
export function createFeedProducts(
  payload: BasePayload,
  { productFields: names }: Pick<ResolvedOptions, 'productFields'>,
  { productsSlug, variantsSlug, currency }: CartSchema,
): FeedProducts {
  const inTurn = createGate(1)
  const currencies = currenciesOf(payload, productsSlug, currency)
  const priceFields = currencies.map((code) => `priceIn${code}`)
  const sold = [...priceFields, 'inventory']
  const relations = new Set(
    Object.values(names).filter((path) => isRelation(fieldAt(payload, productsSlug, path))),
  )
  const productSelect = selectOf([...Object.values(names), ...sold, 'enableVariants'])

  async function read(
    collection: string,
    where: Where[],
    { req, ...query }: { req: PayloadRequest; select: Select; depth: number; limit?: number },
  ): Promise<Document[]> {
    const { docs } = await payload.find({
      collection,
      where: { and: [...where, ...publishedOnly(payload, collection)] },
      sort: 'id',
      pagination: false,
      disableErrors: true,
      overrideAccess: false,
      req,
      ...query,
    })
    return docs
  }

  /** The published variants of these products, by product. */
  async function variantsOf(products: readonly Document[], req: PayloadRequest) {
    const byProduct = new Map<DocumentId, Document[]>()
    const ids = products.filter(({ enableVariants }) => enableVariants === true).map(({ id }) => id)
    if (variantsSlug === undefined || ids.length === 0) return byProduct
    const select = selectOf([...sold, 'product'])
    const variants = await read(variantsSlug, [{ product: { in: ids } }], { req, select, depth: 0 })
    for (const variant of variants) {
      const product = idOf(variant.product)
      if (product !== undefined) {
        byProduct.set(product, [...(byProduct.get(product) ?? []), variant])
      }
    }
    return byProduct
  }

  return {
    currencies,
    pageAfter: (id, language) =>
      inTurn(async () => {
        // A request of its own, in nobody's name.
        const req = await createLocalReq(localeOf(payload, language), payload)
        const after: Where[] = id === undefined ? [] : [{ id: { greater_than: id } }]
        const query = { req, select: productSelect, depth: 1, limit: pageSize }
        const products = await read(productsSlug, after, query)
        const variants = await variantsOf(products, req)
        return {
          products: products.map((product) => {
            const parts = product.enableVariants === true ? variants.get(product.id) : [product]
            return { ...described(product, names, relations), ...offered(parts ?? [], currencies) }
          }),
          last: products.length < pageSize ? undefined : products.at(-1)?.id,
        }
      }),
  }
}

type Select = Record<string, true>

/** Whole groups and relations, where a name leads into one. */
const selectOf = (paths: readonly string[]): Select =>
  Object.fromEntries(paths.map((path): [string, true] => [path.split('.')[0] ?? path, true]))

/** Guests of many stores may read drafts by mistake; the feed has none. */
const publishedOnly = (payload: BasePayload, slug: string): Where[] =>
  payload.collections[slug]?.config.versions?.drafts ? [{ _status: { equals: 'published' } }] : []

function localeOf(payload: BasePayload, language: string): { locale?: string } {
  const { localization } = payload.config
  return localization && localization.localeCodes.includes(language) ? { locale: language } : {}
}

/** The currencies that products have a price field for, the store's default first. */
function currenciesOf(payload: BasePayload, slug: string, standard: string): string[] {
  const fields = payload.collections[slug]?.config.flattenedFields ?? []
  const codes = fields.flatMap(({ name }) => /^priceIn([A-Z]{3})$/.exec(name)?.[1] ?? [])
  return [...codes].sort((one, other) => Number(other === standard) - Number(one === standard))
}

/** What visitors may not read of a relation is a bare id, and says nothing. */
const isRelation = (field: NamedField | undefined) =>
  field?.type === 'relationship' || field?.type === 'upload'

function described(
  product: Document,
  names: ResolvedOptions['productFields'],
  relations: ReadonlySet<string>,
): Omit<FeedProduct, 'prices' | 'stock'> {
  const told = (path: string): unknown => {
    const value = valueAt(product, path)
    if (!relations.has(path)) return value
    return Array.isArray(value) ? value.filter(isDocument) : isDocument(value) ? value : undefined
  }
  const text = (path: string) => textOf(told(path))
  const image = told(names.image)
  return {
    id: product.id,
    title: text(names.name),
    slug: text(names.slug),
    sku: text(names.sku),
    description: wordsOf(told(names.description)),
    image: textOf(typeof image === 'object' ? valueAt(image, 'url') : image),
    categories: [told(names.categories)].flat().flatMap(categoryName),
  }
}

/** A category may be a document with a title or a name, a text, or an option of a select. */
function categoryName(category: unknown): string[] {
  const named = isDocument(category)
    ? (valueAt(category, 'title') ?? valueAt(category, 'name'))
    : category
  return typeof named === 'string' && named.trim() !== '' ? [named] : []
}

const isDocument = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The least price in each currency, and all there is in stock. */
function offered(
  parts: readonly Document[],
  currencies: readonly string[],
): Pick<FeedProduct, 'prices' | 'stock'> {
  const prices: Record<string, number> = {}
  for (const code of currencies) {
    const amounts = parts.flatMap((part) => amountOf(part[`priceIn${code}`]))
    if (amounts.length > 0) prices[code] = Math.min(...amounts)
  }
  const counts = parts.flatMap(({ inventory }) => amountOf(inventory))
  const stock = counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
  return { prices, stock }
}

const amountOf = (value: unknown): number[] =>
  typeof value === 'number' && Number.isFinite(value) ? [value] : []

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
