import { createLocalReq, isolateObjectProperty, type PayloadRequest } from 'payload'
import { dimensionUnits, weightUnits, type LineItemOption } from './order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import type { ShopNames } from '../../core/shop-names.js'
import type { OrderValues } from './order-values.js'
import { idOf, titlesOf, valueAt } from '../../core/payload/document-value.js'
import { type FieldsOf, addRelated } from '../../core/payload/field-route.js'
import { findField } from '../../core/payload/field-search.js'
import { parseUrl } from '../../core/http/public-origin.js'

type Line = Record<string, unknown>

interface LinesOf {
  currency: unknown
  /** The lines' collection: orders or carts. */
  slug: string
  names: ShopNames
  req: PayloadRequest
}

/** A line of a payment, and what its product was when the payment began. */
interface PaidLine {
  line: Line
  snapshot: Line
}

/** What a payment keeps of its lines: the relations by which they are found again, and their snapshots. */
export async function paidLines(lines: readonly Line[], of: LinesOf): Promise<PaidLine[]> {
  const own = lines.map(({ id, product, variant }) => ({
    id,
    product: idOf(product),
    variant: idOf(variant),
  }))
  const snapshots = await currentSnapshots(own, of)
  return own.map((line) => ({ line, snapshot: snapshots.get(line) ?? {} }))
}

/** What `paidLines` has made; nothing for a payment from before it did. */
export const readPaidLines = (stored: unknown): PaidLine[] =>
  Array.isArray(stored) ? (stored as PaidLine[]) : []

/**
 * Copies the values of each line's product onto the line, so that the order keeps them as they were when bought, or
 * when `paid`. Values that the line already has stay.
 */
export async function snapshotLines(
  lines: readonly Line[],
  of: LinesOf,
  paid: readonly PaidLine[] = [],
): Promise<Line[]> {
  const paidSnapshots = lines.map((line) => paidSnapshot(line, paid))
  const others = lines.filter((_, index) => paidSnapshots[index] === undefined)
  const current = await currentSnapshots(others, of)
  return lines.map((line, index) => ({
    ...(paidSnapshots[index] ?? current.get(line)),
    ...withoutBlanks(line),
  }))
}

/** A line of the same id is the same one even if its product was deleted since; a store may give lines new ids. */
function paidSnapshot(line: Line, paid: readonly PaidLine[]): Line | undefined {
  const isSame = (part: string, other: Line) => idOf(other[part]) === idOf(line[part])
  const isGone = (part: string) => idOf(line[part]) === undefined
  const relations = ['product', 'variant']
  const found =
    paid.find(
      ({ line: other }) =>
        !isGone('id') &&
        isSame('id', other) &&
        relations.every((part) => isGone(part) || isSame(part, other)),
    ) ?? paid.find(({ line: other }) => relations.every((part) => isSame(part, other)))
  return found?.snapshot
}

async function currentSnapshots(
  lines: readonly Line[],
  of: LinesOf,
): Promise<ReadonlyMap<Line, Line>> {
  const { currency } = of
  const names = of.names.productFields
  const products = await documentsOf(lines, 'product', of)
  const variants = await documentsOf(lines, 'variant', of)
  const priceField = typeof currency === 'string' ? `priceIn${currency.toUpperCase()}` : ''

  const snapshotOf = (line: Line): Line => {
    const product = products.get(idOf(line.product) ?? '')
    const variant = variants.get(idOf(line.variant) ?? '')
    const current = (name: string) => notBlank(valueAt(variant, name)) ?? valueAt(product, name)
    return {
      // A variant's own title repeats its options, which the line keeps in a field of their own.
      name: textOf(valueAt(product, names.name)),
      sku: textOf(current(names.sku)),
      unitPrice: numberOf(current(priceField)),
      weight: sizeOf(current(names.weight)),
      weightUnit: unitOf(weightUnits, current(names.weightUnit)),
      itemLength: sizeOf(current(names.length)),
      itemWidth: sizeOf(current(names.width)),
      itemHeight: sizeOf(current(names.height)),
      dimensionUnit: unitOf(dimensionUnits, current(names.dimensionUnit)),
      location: textOf(current(names.location)),
      imageUrl: textOf(urlOf(current(names.image))),
      // A variant has no page of its own.
      slug: textOf(valueAt(product, names.slug)),
      brand: titlesOf(current(names.brand))[0],
      categories: titlesOf(valueAt(product, names.categories)),
      options: optionsOf(variant),
    }
  }
  return new Map(lines.map((line) => [line, snapshotOf(line)]))
}

/** Fills in the lines of orders from before Storeconnect, which have no snapshot, from the products as they are now. */
export async function completeLines(
  orders: readonly OrderValues[],
  { payload, options: names }: Shop,
): Promise<void> {
  const bare = orders.flatMap(({ currency, items }) =>
    items.filter(isBare).map((line) => ({ line, currency })),
  )
  if (bare.length === 0) return
  const req = await createLocalReq({}, payload)
  const slug = names.collections.orders
  for (const currency of new Set(bare.map((each) => each.currency))) {
    const lines = bare.filter((each) => each.currency === currency).map(({ line }) => line)
    const snapshots = await snapshotLines(lines, { currency, slug, names, req })
    lines.forEach((line, index) => Object.assign(line, snapshots[index]))
  }
}

const isBare = ({ product, name, unitPrice }: Line) =>
  notBlank(product) !== undefined &&
  (notBlank(name) === undefined || notBlank(unitPrice) === undefined)

/** The documents that the lines point to, with those that the names of their fields lead to. */
async function documentsOf(
  lines: readonly Line[],
  name: 'product' | 'variant',
  { slug, names, req }: LinesOf,
): Promise<Map<DocumentId, unknown>> {
  const fieldsOf: FieldsOf = (of) => req.payload.collections[of]?.config.fields
  const field = findField(fieldsOf(slug) ?? [], `${names.fields.items}.${name}`)
  const ids = lines.flatMap((line) => idOf(line[name]) ?? [])
  if (field?.type !== 'relationship' || Array.isArray(field.relationTo) || ids.length === 0) {
    return new Map()
  }
  const read = async (collection: string, some: readonly DocumentId[]) => {
    const { docs } = await req.payload.find({
      collection,
      where: { id: { in: [...some] } },
      depth: 0,
      pagination: false,
      joins: false,
      // A product may have been put into the trash after it was bought.
      trash: true,
      ...inAnyLanguage(req),
    })
    return docs
  }
  const docs = await read(field.relationTo, [...new Set(ids)])
  await addRelated(docs, fieldsOf(field.relationTo) ?? [], {
    names: [...Object.values(names.productFields), 'options.variantType'],
    fieldsOf,
    read,
  })
  return new Map(docs.map((document) => [document.id, document]))
}

/** Reads texts in the language of the request, else in Payload's fallback, else in any that has them. */
function inAnyLanguage(req: PayloadRequest) {
  const { localization } = req.payload.config
  if (!localization) return { req }
  const own = isolateObjectProperty(req, ['locale', 'fallbackLocale', 'payloadDataLoader'])
  // The request's own loader would read in the request's languages.
  Reflect.deleteProperty(own, 'payloadDataLoader')
  const { defaultLocale, localeCodes, locales } = localization
  const locale = req.locale && localeCodes.includes(req.locale) ? req.locale : defaultLocale
  const fallback = locales.find(({ code }) => code === locale)?.fallbackLocale ?? []
  const fallbackLocale = [...new Set([fallback, defaultLocale, localeCodes].flat())]
  return { req: own, locale, fallbackLocale }
}

const notBlank = (value: unknown) => (value === '' || value === null ? undefined : value)

const withoutBlanks = (line: Line): Line =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([, value]) => notBlank(value) !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )

// Values that the line's fields would refuse are left out: an odd value must not stop a checkout.
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const numberOf = (value: unknown) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const sizeOf = (value: unknown) => {
  const size = numberOf(value)
  return size !== undefined && size >= 0 ? size : undefined
}

/** One of the units of the line's own field, in upper or lower case. */
const unitOf = (units: readonly string[], value: unknown) => {
  const unit = textOf(value)?.trim().toLowerCase()
  return units.find((known) => known === unit)
}

/** An upload's URL, or the text itself. */
const urlOf = (image: unknown): unknown =>
  typeof image === 'object' ? valueAt(image, 'url') : image

/** A variant of the extension has options, and each option has a type, such as Size. */
function optionsOf(variant: unknown): LineItemOption[] {
  return [valueAt(variant, 'options')].flat().flatMap((option) => {
    const value = valueAt(option, 'label')
    if (typeof value !== 'string') return []
    const type = valueAt(option, 'variantType.label')
    return [{ name: typeof type === 'string' ? type : '', value }]
  })
}

/** An absolute http(s) URL that the schema's `xs:anyURI` accepts, or empty text. The base URL completes a path. */
export function imageUrl(text: string, baseUrl: string): string {
  const url = text === '' ? undefined : parseUrl(text, baseUrl || undefined)
  if (url === undefined) return ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ''
  if (!/^[\w\-.~!$&'()*+,;=:[\]]+$/.test(url.host)) return ''
  // The WHATWG URL parser lets through characters and lone percent signs that RFC 3986 does not.
  const path = encodeRest(url.pathname)
  const search = url.search === '' ? '' : `?${encodeRest(url.search.slice(1))}`
  return `${url.origin}${path}${search}`
}

const encodeRest = (part: string) =>
  part
    .replace(/%(?![\dA-Fa-f]{2})/g, '%25')
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character))
