import type { CollectionConfig, Config, Field } from 'payload'
import {
  fieldRoute,
  hasSeveral,
  type FieldRoute,
  type FieldsOf,
} from '../../core/payload/field-route.js'
import { fieldPaths, findField, type NamedField } from '../../core/payload/field-search.js'
import {
  address,
  onCarts,
  oneText,
  orderUses,
  productUses,
  unmapped,
  type Use,
} from './field-uses.js'
import { defaultProductFields, type OrderOptions } from './order-options.js'
import { addressParts } from './order-values.js'
import type { FieldNames, ProductFieldNames, ShopNames } from '../../core/shop-names.js'

/** Where names are looked up. */
export interface NamedIn {
  fieldsOf: FieldsOf
  /** Whether fields may have a value for each language. */
  hasLanguages: boolean
}

/**
 * Checks every name in `fields` and `productFields` against the store's own fields.
 *
 * @throws {TypeError} that says which name is of no use, why, and what to name instead.
 */
export function checkNamedFields(
  config: Pick<Config, 'collections' | 'localization'>,
  options: ShopNames & {
    orders: OrderOptions
    restore?: { acceptCoupon?: unknown }
    marketing?: { coupons?: unknown }
  },
): void {
  const fieldsOf = fieldsIn(config)
  const where = { fieldsOf, hasLanguages: Boolean(config.localization) }
  const { carts } = options.collections
  const isMapped = options.orders.map !== undefined
  const hasCodes = (options.restore?.acceptCoupon ?? options.marketing?.coupons) !== undefined
  for (const name of Object.keys(orderUses) as (keyof FieldNames)[]) {
    const use = orderUses[name]
    if (!(isMapped && unmapped.has(name))) checkOrderField(name, options, where)
    const cartFields = onCarts.has(name) ? fieldsOf(carts) : undefined
    if (cartFields === undefined) continue
    // What carts lack is not taken from them; that orders have it is what counts.
    const ofCart = fieldRoute(cartFields, options.fields[name], fieldsOf)
    const isWritten = name === 'discountCode' && hasCodes
    if ('problem' in ofCart && !isWritten) continue
    // What is copied from a cart is read through Payload, so hooks may make it.
    const ofCarts: Pick<Use, 'isOwn' | 'throughPayload'> =
      isWritten || use.isOwn ? { isOwn: true } : { throughPayload: true }
    orderFieldRoute({ slug: carts, name, use: { ...use, ...ofCarts } }, options, where)
  }
  checkProductFields(options, where)
}

/** @throws {TypeError} when Storeconnect cannot use the field. */
function checkOrderField(name: keyof FieldNames, options: ShopNames, where: NamedIn): void {
  const { ofLines, ...ofOrder } = orderUses[name]
  const ofLine = ofLines && lineFieldRoute(name, options, where)
  if (ofLines === 'only') return
  const use = ofLine === undefined ? ofOrder : orderUses[name]
  orderFieldRoute({ slug: options.collections.orders, name, use }, options, where)
}

/** The fields of collections, also those that Payload adds when it completes the config. */
export const fieldsIn =
  ({ collections = [] }: Pick<Config, 'collections'>): FieldsOf =>
  (slug) => {
    const collection = collections.find((each) => each.slug === slug)
    return collection && [...collection.fields, ...fieldsFromPayload(collection)]
  }

function checkProductFields(options: ShopNames, where: NamedIn): void {
  const [products] = productSlugs(options, where.fieldsOf)
  if (products === undefined) return
  for (const name of Object.keys(productUses) as (keyof ProductFieldNames)[]) {
    const path = options.productFields[name]
    if (path === defaultProductFields[name]) continue
    const problem = productFieldProblem(name, options, where)
    if (problem !== undefined) {
      throw new TypeError(
        `storeConnect(): productFields.${name} is "${path}" of "${products}", ${problem}. ${remedy(productUses[name])} in productFields.${name}.`,
      )
    }
  }
}

/**
 * The way to a field of orders or carts that the options name; undefined where the store has none.
 *
 * @throws {TypeError} when Storeconnect cannot use the field.
 */
export function orderFieldRoute(
  { slug, name, use = orderUses[name] }: { slug: string; name: keyof FieldNames; use?: Use },
  options: ShopNames,
  { fieldsOf, hasLanguages }: NamedIn,
): FieldRoute | undefined {
  const path = options.fields[name]
  const isNamed = path !== name
  const route = fieldRoute(fieldsOf(slug) ?? [], path, fieldsOf)
  if ('problem' in route && (!isNamed || use.ofLines === 'too')) return undefined
  const problem =
    'problem' in route
      ? route.problem
      : (problemOf(route, use, { options, hasLanguages }) ??
        (use.types === address.types ? addressProblem(route, fieldsOf) : undefined))
  if (problem === undefined && !('problem' in route)) return route
  if (use.isLeftAlone && !isNamed) return undefined
  throw new TypeError(
    `storeConnect(): fields.${name} is "${path}" of "${slug}", ${problem}. ${remedy(use)} in fields.${name}.`,
  )
}

/**
 * The way to a field of the orders' lines that the options name; undefined where they have none.
 *
 * @throws {TypeError} when Storeconnect cannot use the field.
 */
export function lineFieldRoute(
  name: keyof FieldNames,
  options: ShopNames,
  where: NamedIn,
): FieldRoute | undefined {
  const { collections, fields } = options
  const lines = findField(where.fieldsOf(collections.orders) ?? [], fields.items)
  const ofLines = lines?.type === 'array' ? lines.fields : []
  const slug = `${collections.orders}.${fields.items}`
  const fieldsOf: FieldsOf = (of) => (of === slug ? ofLines : where.fieldsOf(of))
  return orderFieldRoute({ slug, name }, options, { ...where, fieldsOf })
}

/**
 * Why a name of a product's field is of no use; undefined when products or variants have such a field and
 * Storeconnect can use it.
 */
export function productFieldProblem(
  name: keyof ProductFieldNames,
  options: ShopNames,
  { fieldsOf }: Pick<NamedIn, 'fieldsOf'>,
): string | undefined {
  const use = productUses[name]
  const path = options.productFields[name]
  const routes = productSlugs(options, fieldsOf).flatMap((slug) =>
    pathsOf(name, path, fieldsOf(slug) ?? []).map((each) =>
      fieldRoute(fieldsOf(slug) ?? [], each, fieldsOf),
    ),
  )
  const found = routes.filter((route) => !('problem' in route))
  const problems = found.length > 0 ? found : routes
  const [problem] = problems.flatMap((route) =>
    'problem' in route
      ? route.problem
      : (problemOf(route, use, { options, hasLanguages: false }) ??
        partsProblem(route, use, fieldsOf) ??
        []),
  )
  return routes.length === 0 ? 'which does not exist' : problem
}

/** The price before a reduction has a field for each currency. */
const pathsOf = (
  name: keyof ProductFieldNames,
  path: string,
  fields: readonly Field[],
): readonly string[] => {
  if (name !== 'compareAtPrice') return [path]
  const all = fieldPaths(fields).map((field) => field.path)
  return all.filter((each) => each.startsWith(path) && /^In[A-Z]{3}$/.test(each.slice(path.length)))
}

/** The collections of the lines' products and variants. */
export function productSlugs({ collections, fields }: ShopNames, fieldsOf: FieldsOf): string[] {
  return ['product', 'variant'].flatMap((part) => {
    const line = findField(fieldsOf(collections.orders) ?? [], `${fields.items}.${part}`)
    const to = line?.type === 'relationship' ? line.relationTo : undefined
    return typeof to === 'string' && fieldsOf(to) !== undefined ? [to] : []
  })
}

function problemOf(
  route: FieldRoute,
  use: Use,
  { options, hasLanguages }: { options: ShopNames; hasLanguages: boolean },
): string | undefined {
  const { field, steps, place, isLocalized } = route
  const type = field?.type ?? 'tab'
  if (!use.types.includes(type)) return `which is a field of type ${type}`
  const problem =
    field && (valueProblem(field, place, use) ?? relationProblem(field, use, options.collections))
  if (problem !== undefined) return problem
  if (!use.isOwn) return undefined
  if (steps.length > 0 || place !== undefined) return 'which is in a list or in another document'
  return isLocalized && hasLanguages ? 'which has a value for each language' : undefined
}

function relationProblem(
  field: NamedField,
  use: Use,
  collections: ShopNames['collections'],
): string | undefined {
  if (!('relationTo' in field)) return undefined
  const { relationTo: to } = field
  if (typeof to !== 'string') return 'which relates to several collections'
  const wanted = use.to && collections[use.to]
  return wanted === undefined || to === wanted
    ? undefined
    : `which relates to "${to}" and not to "${wanted}"`
}

function valueProblem(
  field: NamedField,
  place: number | undefined,
  { maySeveral, throughPayload }: Use,
): string | undefined {
  if ('virtual' in field && field.virtual && !throughPayload) {
    return 'which is virtual, so that it is not stored'
  }
  const isOne = place !== undefined && throughPayload
  return hasSeveral(field) && !maySeveral && !isOne ? 'which holds several values' : undefined
}

/** An address may be a group, a named tab or a related document; each of its parts is a text. */
const addressProblem = (route: FieldRoute, fieldsOf: FieldsOf): string | undefined =>
  Object.values(addressParts)
    .map((part) => {
      const within = fieldRoute(fieldsWithin(route, fieldsOf), part, fieldsOf)
      if ('problem' in within) return undefined
      const type = within.field?.type ?? 'tab'
      const isText = (oneText as readonly string[]).includes(type) && !hasSeveral(within.field)
      return isText ? undefined : `whose "${part}" is a field of type ${type}`
    })
    .find((problem) => problem !== undefined)

/** A document or row stands for a text when it has one of these parts. */
function partsProblem(route: FieldRoute, { parts }: Use, fieldsOf: FieldsOf): string | undefined {
  const { field } = route
  if (parts === undefined || (oneText as readonly unknown[]).includes(field?.type)) return undefined
  const within = fieldsWithin(route, fieldsOf)
  return parts.some((part) => !('problem' in fieldRoute(within, part, fieldsOf)))
    ? undefined
    : `which has neither ${parts.join(' nor ')}`
}

const fieldsWithin = ({ field, fields }: FieldRoute, fieldsOf: FieldsOf): readonly Field[] =>
  field !== undefined && 'relationTo' in field && typeof field.relationTo === 'string'
    ? (fieldsOf(field.relationTo) ?? [])
    : fields

const remedy = ({ types, isOwn, to }: Use): string =>
  [
    `Name a field of type ${types.join(', ').replace(/, (\w+)$/, ' or $1')}`,
    ...(to === undefined ? [] : [`that relates to "${to}"`]),
    ...(isOwn ? ['that the document has itself, with one value for all languages'] : []),
  ].join(' ')

/** What Payload adds to a collection that logs in or has files, when it completes the config. */
const fieldsFromPayload = ({ auth, upload }: CollectionConfig): Field[] => [
  ...(auth ? [{ name: 'email', type: 'email' } as const] : []),
  ...(upload
    ? [
        { name: 'filename', type: 'text' } as const,
        { name: 'url', type: 'text', virtual: true } as const,
        { name: 'thumbnailURL', type: 'text', virtual: true } as const,
        sizesOf(upload),
      ]
    : []),
]

const sizesOf = (upload: CollectionConfig['upload']): Field => ({
  name: 'sizes',
  type: 'group',
  fields: (typeof upload === 'object' ? (upload.imageSizes ?? []) : []).map(({ name }): Field => ({
    name,
    type: 'group',
    fields: [{ name: 'url', type: 'text', virtual: true }],
  })),
})
