import type { Config } from 'payload'
import { findField } from '../../core/payload/field-search.js'
import type { ShopNames } from '../../core/shop-names.js'

/**
 * The collection that the orders' customers are in; undefined when orders have no customer field.
 *
 * @throws {TypeError} when the store has no orders.
 */
export function customersSlugOf(
  { collections = [] }: Config,
  options: ShopNames,
): string | undefined {
  const orders = collections.find(({ slug }) => slug === options.collections.orders)
  if (orders === undefined) {
    throw new TypeError(
      `storeConnect(): there is no collection "${options.collections.orders}". Add ecommercePlugin(), or name the collection in collections.orders.`,
    )
  }
  const customer = findField(orders.fields, options.fields.customer)
  return customer?.type === 'relationship' && typeof customer.relationTo === 'string'
    ? customer.relationTo
    : undefined
}
