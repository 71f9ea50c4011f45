import type { CollectionConfig, Field } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { addFields } from './add-fields.js'
import type { IsAdmin } from './admin-access.js'
import { findField, replaceField } from './field-search.js'
import { itemFields } from './item-fields.js'
import { label } from './label.js'
import { completeNewOrder, numberNewCart } from './order-creation.js'
import { cartFields, orderFields } from './order-fields.js'
import { forgetOmission } from './recorded-omissions.js'

export interface ExtensionParts {
  options: ResolvedOptions
  isAdmin: IsAdmin
}

/** The extension's orders with what the export and shipments need. The given config is not changed. */
export function extendOrders(orders: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const { options } = parts
  const withStatus = replaceField(orders.fields, options.fields.status, withShipped)
  const withItems = replaceField(withStatus, options.fields.items, withItemFields)
  const fields = addFields(withItems, orderFields(withItems, parts))
  const extended = { ...orders, fields, admin: orderAdmin(orders.admin, options) }
  if (!options.enabled) return extended
  return {
    ...extended,
    hooks: {
      ...orders.hooks,
      beforeValidate: [...(orders.hooks?.beforeValidate ?? []), completeNewOrder(options, fields)],
      beforeDelete: [...(orders.hooks?.beforeDelete ?? []), forgetOmission],
    },
  }
}

/** The extension's carts with what the order takes over from them. */
export function extendCarts(carts: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const extended = { ...carts, fields: addFields(carts.fields, cartFields(carts.fields, parts)) }
  if (!parts.options.enabled) return extended
  return {
    ...extended,
    hooks: {
      ...carts.hooks,
      beforeChange: [...(carts.hooks?.beforeChange ?? []), numberNewCart(parts.options)],
    },
  }
}

function withShipped(status: Field): Field {
  if (status.type !== 'select' && status.type !== 'radio') return status
  const isShipped = (option: (typeof status.options)[number]) =>
    (typeof option === 'string' ? option : option.value) === 'shipped'
  if (status.options.some(isShipped)) return status
  return { ...status, options: [...status.options, { label: label('shipped'), value: 'shipped' }] }
}

const withItemFields = (items: Field): Field =>
  items.type === 'array' ? { ...items, fields: addFields(items.fields, itemFields()) } : items

/** People look for an order by its number; the extension lists orders by the time of day alone. */
function orderAdmin(
  admin: CollectionConfig['admin'],
  { fields }: ResolvedOptions,
): NonNullable<CollectionConfig['admin']> {
  const isUntouched = admin?.useAsTitle === undefined || admin.useAsTitle === 'createdAt'
  if (!isUntouched || fields.reference.includes('.')) return { ...admin }
  return {
    ...admin,
    useAsTitle: fields.reference,
    defaultColumns: admin?.defaultColumns ?? [
      fields.reference,
      'createdAt',
      fields.customer,
      fields.amount,
      fields.status,
    ],
  }
}

/** The slug of the collection that customers are in; undefined where orders have none. */
export function customersSlugOf(
  orders: { fields: readonly Field[] },
  { fields }: ResolvedOptions,
): string | undefined {
  const customer = findField(orders.fields, fields.customer)
  return customer?.type === 'relationship' && typeof customer.relationTo === 'string'
    ? customer.relationTo
    : undefined
}
