import type { Field, PayloadRequest } from 'payload'
import type { DocumentId, LineItemOption } from '../../commerce/order.js'
import type { ProductFieldNames } from '../../options/options.js'
import { idOf, valueAt } from './document-value.js'
import { findField } from './field-search.js'

type Line = Record<string, unknown>
type Documents = Map<DocumentId, unknown>

/**
 * Copies name, SKU, price, weight, picture and options of each line's product onto the line, so
 * that the order keeps them as they were when bought. What the line already says stays.
 */
export async function snapshotLines(
  lines: readonly Line[],
  about: {
    currency: unknown
    lineFields: readonly Field[]
    names: Readonly<ProductFieldNames>
    req: PayloadRequest
  },
): Promise<Line[]> {
  const { lineFields, names, currency, req } = about
  const products = await documentsOf(lines, 'product', { lineFields, depth: 1, req })
  const variants = await documentsOf(lines, 'variant', { lineFields, depth: 2, req })
  const priceField = typeof currency === 'string' ? `priceIn${currency.toUpperCase()}` : ''

  return lines.map((line) => {
    const product = products.get(idOf(line.product) ?? '')
    const variant = variants.get(idOf(line.variant) ?? '')
    const current = (name: string) => notBlank(valueAt(variant, name)) ?? valueAt(product, name)
    const snapshot: Line = {
      // A variant's own title repeats its options, which the line keeps apart.
      name: textOf(valueAt(product, names.name)),
      sku: textOf(current(names.sku)),
      unitPrice: numberOf(current(priceField)),
      weight: weightOf(current(names.weight)),
      weightUnit: weightUnitOf(current(names.weightUnit)),
      imageUrl: textOf(urlOf(current(names.image))),
      // A variant has no page of its own.
      slug: textOf(valueAt(product, names.slug)),
      options: optionsOf(variant),
    }
    return { ...snapshot, ...withoutBlanks(line) }
  })
}

/** The documents that the lines point to, read with one query. */
async function documentsOf(
  lines: readonly Line[],
  name: 'product' | 'variant',
  { lineFields, depth, req }: { lineFields: readonly Field[]; depth: number; req: PayloadRequest },
): Promise<Documents> {
  const field = findField(lineFields, name)
  const ids = lines.flatMap((line) => idOf(line[name]) ?? [])
  if (field?.type !== 'relationship' || Array.isArray(field.relationTo) || ids.length === 0) {
    return new Map()
  }
  const { docs } = await req.payload.find({
    collection: field.relationTo,
    where: { id: { in: [...new Set(ids)] } },
    depth,
    pagination: false,
    // Whoever bought it did so before it was put into the trash.
    trash: true,
    req,
  })
  return new Map(docs.map((document) => [document.id, document]))
}

const notBlank = (value: unknown) => (value === '' || value === null ? undefined : value)

const withoutBlanks = (line: Line): Line =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([, value]) => notBlank(value) !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )

// What the line's fields would refuse is left out: a product's odd value must not stop a checkout.
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const numberOf = (value: unknown) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const weightOf = (value: unknown) => {
  const weight = numberOf(value)
  return weight !== undefined && weight >= 0 ? weight : undefined
}

/** The units of the line's own field, in any case. */
const weightUnitOf = (value: unknown) => {
  const unit = textOf(value)?.trim().toLowerCase()
  return ['g', 'kg', 'oz', 'lb'].find((known) => known === unit)
}

/** An upload's URL, or the text itself. */
const urlOf = (image: unknown): unknown =>
  typeof image === 'object' ? valueAt(image, 'url') : image

/** The extension's variants hold options, and each option the type it is of. */
function optionsOf(variant: unknown): LineItemOption[] {
  return [valueAt(variant, 'options')].flat().flatMap((option) => {
    const value = valueAt(option, 'label')
    if (typeof value !== 'string') return []
    const type = valueAt(option, 'variantType.label')
    return [{ name: typeof type === 'string' ? type : '', value }]
  })
}
