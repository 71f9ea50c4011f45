import type { StoreConfig } from '../../core/feature.js'
import { fieldRoute, hasSeveral, type FieldRoute } from '../../core/payload/field-route.js'
import { fieldsIn, productSlugs } from '../../shop/orders/named-fields.js'
import type { Reviews } from './review-notes.js'
import { defaultReviewFields, type ReviewFieldNames } from './review-options.js'

/** The types that a field may have. */
const types: Readonly<Record<keyof ReviewFieldNames, readonly string[]>> = {
  customer: ['relationship'],
  email: ['email', 'text'],
  name: ['text'],
  product: ['relationship'],
  rating: ['number', 'text', 'select', 'radio'],
  title: ['text', 'textarea'],
  text: ['text', 'textarea', 'richText'],
  images: ['upload', 'relationship', 'array', 'text'],
  status: ['select', 'radio', 'text'],
  verified: ['checkbox'],
}

/**
 * Checks the names of a store's reviews against its own fields.
 *
 * @throws {TypeError} that says which name is of no use, and why.
 */
export function checkReviewFields(
  { config, options, customersSlug }: Pick<StoreConfig, 'config' | 'options' | 'customersSlug'>,
  { collection, fields: names, map }: Reviews,
): void {
  const fieldsOf = fieldsIn(config)
  const fields = fieldsOf(collection)
  if (fields === undefined) {
    throw wrong('collection', `is "${collection}", and the store has no such collection`)
  }
  const [products] = productSlugs(options, fieldsOf)
  const relatesTo: RelatesTo = { customer: customersSlug, product: products }
  const found = Object.keys(types).filter((key) => {
    const name = key as keyof ReviewFieldNames
    const path = names[name]
    const route = fieldRoute(fields, path, fieldsOf)
    const isThere = !('problem' in route)
    const problem = isThere ? problemOf(name, route, relatesTo) : route.problem
    if (problem === undefined) return true
    // The store did not mean this field. A relation to others would be taken for one to customers or products.
    const isNamed = path !== defaultReviewFields[name]
    if (!isNamed && !(isThere && name in relatesTo)) return false
    throw wrong(`fields.${name}`, `is "${path}" of "${collection}", ${problem}`)
  })
  if (map === undefined && !found.includes('customer') && !found.includes('email')) {
    throw wrong('fields', `name neither the customer nor the email of an author in "${collection}"`)
  }
}

type RelatesTo = Partial<Record<keyof ReviewFieldNames, string | undefined>>

function problemOf(
  name: keyof ReviewFieldNames,
  { field, steps, place }: FieldRoute,
  relatesTo: RelatesTo,
): string | undefined {
  const type = field?.type ?? 'tab'
  if (!types[name].includes(type)) {
    return `which is a field of type ${type}: name one of type ${types[name].join(', ')}`
  }
  if (steps.length > 0 || place !== undefined) return 'which is in a list or in another document'
  if (name !== 'images' && hasSeveral(field)) return 'which holds several values'
  if (!(name in relatesTo)) return undefined
  const to = field && 'relationTo' in field ? field.relationTo : undefined
  return to === relatesTo[name] ? undefined : `which relates to "${String(to)}"`
}

const wrong = (name: string, problem: string) =>
  new TypeError(`storeConnect(): marketing.reviews.${name} ${problem}.`)
