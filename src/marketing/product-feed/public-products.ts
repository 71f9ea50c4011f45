import { groupBy } from '../../core/group-by.js'
import { createLocalReq, type BasePayload, type PayloadRequest, type Where } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { ShopNames } from '../../core/shop-names.js'
import type { Shop } from '../../core/shop.js'
import type { CartSchema } from '../../carts/cart-documents.js'
import { idOf, textOrNumber, titlesOf, valueAt } from '../../core/payload/document-value.js'
import type { NamedField } from '../../core/payload/field-search.js'
import { fieldRoute, type FieldsOf, addRelated } from '../../core/payload/field-route.js'
import { createGate } from '../../core/database/turns.js'

/** On one line. Both of Payload's editors store a tree whose leaves have `text`. */
export const wordsOf = (value: unknown): string => textWithin(value).replaceAll(/\s+/g, ' ').trim()

/** Nodes within a line; any other node ends with a space, so that its words stay apart. */
const inline: readonly unknown[] = ['link', 'autolink', 'text']

function textWithin(node: unknown): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textWithin).join('')
  if (!isDocument(node)) return ''
  const text = valueAt(node, 'text')
  if (typeof text === 'string') return text
  const within = textWithin(valueAt(node, 'root') ?? valueAt(node, 'children'))
  return inline.includes(valueAt(node, 'type')) ? within : `${within} `
}

interface Offered {
  /** Minor units by currency, the lowest of all variants. A currency without a price is missing. */
  prices: Readonly<Record<string, number>>
  /** The price before a reduction of the variant with that price, where it is reduced. */
  compareAtPrices: Readonly<Record<string, number>>
  /** The inventory of all variants together; undefined when the store does not count it. */
  stock: number | undefined
}

export interface PublicProduct extends Offered {
  id: DocumentId
  title: string
  slug: string
  sku: string
  description: string
  /** A URL or a path; blank without a picture. */
  image: string
  categories: readonly string[]
  /** Blank when not known. */
  brand: string
  /** Undefined where the product is sold without any. */
  variants: readonly PublicVariant[] | undefined
}

/** What of a variant is blank is as its product has it. */
export interface PublicVariant extends Offered {
  id: DocumentId
  title: string
  sku: string
  image: string
}

interface PublicProductPage {
  products: readonly PublicProduct[]
  /** The id that the next page starts after; undefined on the last page. */
  last: DocumentId | undefined
}

export interface PublicProducts {
  /** Currency codes; the first is the store's default. */
  currencies: readonly string[]
  /** One published product; undefined when there is none that visitors may read. */
  find(id: DocumentId, language: string): Promise<PublicProduct | undefined>
  /** The same of several. */
  some(ids: readonly DocumentId[], language: string): Promise<PublicProduct[]>
  /** Published products in the order of their ids, in the language of the site. */
  pageAfter(id: DocumentId | undefined, language: string): Promise<PublicProductPage>
}

type Document = Record<string, unknown> & { id: DocumentId }

/** Products a page; each page takes two or three queries. */
const pageSize = 200

/**
 * As a visitor without a login sees them: the collections' own access rules and hooks apply. Pages are read one at a
 * time, so that product feeds never crowd out shoppers.
 */
export function createPublicProducts(
  { payload, options: { productFields: names } }: Shop,
  { productsSlug, variantsSlug, currency }: CartSchema,
): PublicProducts {
  const inTurn = createGate(1)
  const currencies = currenciesOf(payload, productsSlug, currency)
  const priceFields = currencies.map((code) => `priceIn${code}`)
  const reducedFields = currencies.map((code) => `${names.compareAtPrice}In${code}`)
  const sold = [...priceFields, ...reducedFields, 'inventory']
  const fieldsOf: FieldsOf = (slug) => payload.collections[slug]?.config.fields
  const visibleIn = (slug: string | undefined) => {
    const fields = (slug !== undefined && fieldsOf(slug)) || []
    const relations = Object.values(names).filter((path) => {
      const route = fieldRoute(fields, path, fieldsOf)
      return !('problem' in route) && isRelation(route.field)
    })
    return visibleValues(new Set(relations))
  }
  const [ofProduct, ofVariant] = [visibleIn(productsSlug), visibleIn(variantsSlug)]
  const productSelect = selectOf([...Object.values(names), ...sold, 'enableVariants'])

  async function read(
    collection: string,
    where: Where[],
    { req, ...query }: { req: PayloadRequest; select?: Select; limit?: number },
  ): Promise<Document[]> {
    const { docs } = await payload.find({
      collection,
      where: { and: where },
      sort: 'id',
      depth: 0,
      pagination: false,
      disableErrors: true,
      overrideAccess: false,
      req,
      ...query,
    })
    return docs
  }

  const related = (
    documents: readonly Document[],
    slug: string,
    { names: paths, req }: { names: readonly string[]; req: PayloadRequest },
  ) =>
    addRelated(documents, fieldsOf(slug) ?? [], {
      names: paths,
      fieldsOf,
      read: (of, ids) => read(of, [{ id: { in: [...ids] } }], { req }),
    })

  async function variantsOf(products: readonly Document[], req: PayloadRequest) {
    const ids = products.filter(({ enableVariants }) => enableVariants === true).map(({ id }) => id)
    if (variantsSlug === undefined || ids.length === 0) return new Map<DocumentId, Document[]>()
    const select = selectOf([...sold, 'product', names.name, names.sku, names.image])
    const where = [{ product: { in: ids } }, ...publishedOnly(payload, variantsSlug)]
    const variants = await read(variantsSlug, where, { req, select })
    await related(variants, variantsSlug, { names: [names.image], req })
    return groupBy(variants, ({ product }) => idOf(product))
  }

  async function readProducts(where: Where[], language: string): Promise<PublicProduct[]> {
    // A new request without a user.
    const req = await createLocalReq(localeOf(payload, language), payload)
    const query = { req, select: productSelect, limit: pageSize }
    const published = [...where, ...publishedOnly(payload, productsSlug)]
    const products = await read(productsSlug, published, query)
    await related(products, productsSlug, { names: Object.values(names), req })
    const variants = await variantsOf(products, req)
    const offer = (documents: readonly Document[]) => offered(documents, currencies, names)
    return products.map((product) => {
      const own = product.enableVariants === true ? (variants.get(product.id) ?? []) : undefined
      return {
        ...described(product, names, ofProduct),
        ...offer(own ?? [product]),
        variants: own?.map((variant) => ({
          ...describedVariant(variant, names, ofVariant),
          ...offer([variant]),
        })),
      }
    })
  }

  return {
    currencies,
    find: async (id, language) => (await readProducts([{ id: { equals: id } }], language))[0],
    some: (ids, language) => inTurn(() => readProducts([{ id: { in: [...ids] } }], language)),
    pageAfter: (id, language) =>
      inTurn(async () => {
        const after: Where[] = id === undefined ? [] : [{ id: { greater_than: id } }]
        const products = await readProducts(after, language)
        return {
          products,
          last: products.length < pageSize ? undefined : products.at(-1)?.id,
        }
      }),
  }
}

type Select = Record<string, true>

/** Selects a whole group or relation when a path leads into it. */
const selectOf = (paths: readonly string[]): Select =>
  Object.fromEntries(paths.map((path): [string, true] => [path.split('.')[0] ?? path, true]))

/** Many stores let guests read drafts by mistake, so only published documents are asked for. */
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

const isRelation = (field: NamedField | undefined) =>
  field?.type === 'relationship' || field?.type === 'upload'

type Visible = (document: Document, path: string) => unknown

/** A related document that visitors may not read is a bare id, which is left out. */
const visibleValues =
  (relations: ReadonlySet<string>): Visible =>
  (document, path) => {
    const value = valueAt(document, path)
    if (!relations.has(path)) return value
    return Array.isArray(value) ? value.filter(isDocument) : isDocument(value) ? value : undefined
  }

function described(
  product: Document,
  names: ShopNames['productFields'],
  visibleOf: Visible,
): Omit<PublicProduct, keyof Offered | 'variants'> {
  const visible = (path: string) => visibleOf(product, path)
  const text = (path: string) => textOrNumber(visible(path))
  return {
    id: product.id,
    title: text(names.name),
    slug: text(names.slug),
    sku: text(names.sku),
    description: wordsOf(visible(names.description)),
    image: pictureOf(visible(names.image)),
    categories: titlesOf(visible(names.categories)),
    brand: titlesOf(visible(names.brand))[0] ?? '',
  }
}

/** A variant has no other texts of its own. */
const describedVariant = (
  variant: Document,
  { name, sku, image }: ShopNames['productFields'],
  visible: Visible,
): Omit<PublicVariant, keyof Offered> => ({
  id: variant.id,
  title: textOrNumber(visible(variant, name)),
  sku: textOrNumber(visible(variant, sku)),
  image: pictureOf(visible(variant, image)),
})

const pictureOf = (image: unknown): string =>
  textOrNumber(typeof image === 'object' ? valueAt(image, 'url') : image)

const isDocument = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The lowest price in each currency, and the sum of the inventories. */
function offered(
  variants: readonly Document[],
  currencies: readonly string[],
  { compareAtPrice }: ShopNames['productFields'],
): Offered {
  const prices: Record<string, number> = {}
  const compareAtPrices: Record<string, number> = {}
  for (const code of currencies) {
    const sold = variants.flatMap((variant) =>
      amountOf(variant[`priceIn${code}`]).map((price) => ({ variant, price })),
    )
    const [cheapest] = sold.sort((one, other) => one.price - other.price)
    if (cheapest === undefined) continue
    const { variant, price } = cheapest
    prices[code] = price
    const [before] = amountOf(valueAt(variant, `${compareAtPrice}In${code}`))
    if (before !== undefined && before > price) compareAtPrices[code] = before
  }
  const counts = variants.flatMap(({ inventory }) => amountOf(inventory))
  const stock = counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
  return { prices, compareAtPrices, stock }
}

const amountOf = (value: unknown): number[] =>
  typeof value === 'number' && Number.isFinite(value) ? [value] : []
