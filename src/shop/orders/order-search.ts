import type { CollectionBeforeOperationHook, CollectionConfig, Where } from 'payload'
import { findField } from '../../core/payload/field-search.js'
import type { ShopOptions } from '../../core/shop.js'

/** A longer search finds what has its first words. */
const mostWords = 8

/**
 * What the list of orders is searched for: number, email, name and tracking number. A store's own
 * `admin.listSearchableFields` stays.
 */
export function searchedPaths(
  { admin, fields }: CollectionConfig,
  { fields: names, products }: Pick<ShopOptions, 'fields' | 'products'>,
  collections: readonly CollectionConfig[],
): string[] {
  if (admin?.listSearchableFields !== undefined) return admin.listSearchableFields
  const people = [names.shippingAddress, names.billingAddress].flatMap((address) =>
    ['firstName', 'lastName', 'company'].map((name) => `${address}.${name}`),
  )
  const own = [names.reference, names.customerEmail, ...people].filter((path) =>
    findField(fields, path),
  )
  const customer = findField(fields, names.customer)
  const customers = collections.find(
    ({ slug }) => customer?.type === 'relationship' && slug === customer.relationTo,
  )
  // Payload refuses a search in a field that it does not find. An own field `shipments` is not ours.
  const haveEmail = customers && (customers.auth ?? findField(customers.fields, 'email'))
  const haveParcels = products.shipping && !findField(fields, 'shipments')
  return [
    ...own,
    ...(haveEmail ? [`${names.customer}.email`] : []),
    ...(haveParcels ? ['shipments.trackingNumber'] : []),
  ]
}

/** Finds each word of a search in any of the fields, as a first and a last name are two. Payload wants all of them in one. */
export const searchEachWord: CollectionBeforeOperationHook = ({ args, operation, collection }) => {
  const { where } = args as { where?: Where }
  const paths = collection.admin.listSearchableFields
  if (operation !== 'read' || where === undefined || paths === undefined) return args
  return { ...args, where: perWord(where, paths) }
}

function perWord(where: Where, paths: readonly string[]): Where {
  if (Array.isArray(where.and))
    return { ...where, and: where.and.map((each) => perWord(each, paths)) }
  const text = searchedText(where.or, paths)
  if (text === undefined) return where
  const words = text.split(/\s+/).filter(Boolean).slice(0, mostWords)
  return { and: words.map((like) => ({ or: paths.map((path) => ({ [path]: { like } })) })) }
}

/** The text of a search in the list; undefined when the condition is something else. */
function searchedText(or: Where[] | undefined, paths: readonly string[]): string | undefined {
  if (or?.length !== paths.length) return undefined
  const texts = or.map((each, index) => {
    const condition = each[paths[index] ?? '']
    return Array.isArray(condition) ? undefined : condition?.like
  })
  const [text] = texts
  return typeof text === 'string' && texts.every((each) => each === text) ? text : undefined
}
