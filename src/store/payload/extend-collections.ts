import type { CollectionConfig, Field } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { addFields } from './add-fields.js'
import type { IsAdmin } from './admin-access.js'
import type { AmountParts } from './amount-field.js'
import { findField, replaceField } from './field-search.js'
import { guardCartOwner } from './guard-cart-owner.js'
import { itemFields } from './item-fields.js'
import { label } from './label.js'
import { leaveUntouched } from './loaded-state.js'
import { completeNewOrder, numberNewCart, rememberSite, type SiteOf } from './order-creation.js'
import type { ShopEventsOf } from '../../shop-events/shop-events.js'
import { rememberStatus, wakeFeed } from '../../shop-events/status-hook.js'
import { cartFields, holdsOneSite, orderFields } from './order-fields.js'
import { forgetOmission, forgetTrashedOmission } from './recorded-omissions.js'
import { rememberNewCart } from './remember-new-cart.js'

export interface ExtensionParts {
  options: ResolvedOptions
  isAdmin: IsAdmin
  amounts: AmountParts
  siteOf: SiteOf
  eventsOf: ShopEventsOf
}

/** The extension's orders with what the export and shipments need. The given config is not changed. */
export function extendOrders(orders: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const { options } = parts
  const withStatus = replaceField(orders.fields, options.fields.status, withShipped)
  const withItems = replaceField(withStatus, options.fields.items, withItemFields(parts.amounts))
  const fields = addFields(withItems, orderFields(withItems, parts))
  const extended = { ...orders, fields, admin: orderAdmin(orders.admin, options) }
  if (!options.enabled) return extended
  return {
    ...extended,
    hooks: {
      ...orders.hooks,
      beforeOperation: [leaveUntouched, ...(orders.hooks?.beforeOperation ?? [])],
      beforeValidate: [
        ...(orders.hooks?.beforeValidate ?? []),
        completeNewOrder(options, fields),
        // Behind what it takes over from its cart, the cart's site above all.
        ...siteHooks(fields, parts),
      ],
      // Behind the store's own, which may change the status.
      beforeChange: [
        ...(orders.hooks?.beforeChange ?? []),
        rememberStatus(options, parts.eventsOf),
      ],
      afterChange: [
        ...(orders.hooks?.afterChange ?? []),
        forgetTrashedOmission,
        wakeFeed(parts.eventsOf),
      ],
      beforeDelete: [...(orders.hooks?.beforeDelete ?? []), forgetOmission],
    },
  }
}

/** The extension's carts with what the order takes over from them. */
export function extendCarts(carts: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const fields = addFields(carts.fields, cartFields(carts.fields, parts))
  const extended = { ...carts, fields }
  if (!parts.options.enabled) return extended
  const customersSlug = customersSlugOf(carts, parts.options)
  const hooked = {
    ...extended,
    hooks: {
      ...carts.hooks,
      beforeValidate: [...(carts.hooks?.beforeValidate ?? []), ...siteHooks(fields, parts)],
      beforeChange: [...(carts.hooks?.beforeChange ?? []), numberNewCart(parts.options)],
      afterChange: [
        ...(carts.hooks?.afterChange ?? []),
        rememberNewCart(parts.options, customersSlug),
      ],
    },
  }
  return guardCartOwner(hooked, { ...parts, customersSlug })
}

/** A site field that holds something else is the store's to fill. */
const siteHooks = (fields: readonly Field[], { options, siteOf }: ExtensionParts) =>
  holdsOneSite(fields, options) ? [rememberSite(options, siteOf)] : []

function withShipped(status: Field): Field {
  if (status.type !== 'select' && status.type !== 'radio') return status
  const isShipped = (option: (typeof status.options)[number]) =>
    (typeof option === 'string' ? option : option.value) === 'shipped'
  if (status.options.some(isShipped)) return status
  return { ...status, options: [...status.options, { label: label('shipped'), value: 'shipped' }] }
}

const withItemFields =
  (amounts: AmountParts) =>
  (items: Field): Field =>
    items.type === 'array'
      ? { ...items, fields: addFields(items.fields, itemFields(amounts)) }
      : items

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
