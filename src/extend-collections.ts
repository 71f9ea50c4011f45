import type { BasePayload, CollectionConfig, Field } from 'payload'
import { rememberVerifiedEmail, verifiedEmailFields } from './accounts/verified-email.js'
import { withSessions } from './accounts/with-sessions.js'
import { checkoutConsentFields, giverFields, hasConsentField } from './consent/checkout-consent.js'
import { consentForOrder, consentGiverFields, leaveConsentBehind } from './consent/consent-giver.js'
import { keepProof } from './consent/kept-proofs.js'
import { customerConsentFields } from './consent/customer-consents.js'
import type { Installed } from './installation.js'
import type { ResolvedOptions } from './options/resolve-options.js'
import { addFields, findField, replaceField } from './payload/field-search.js'
import type { IsAdmin } from './payload/admin-access.js'
import type { AmountParts } from './orders/amount-field.js'
import { guardCartOwner } from './carts/guard-cart-owner.js'
import {
  itemFields,
  cartFields,
  holdsOneSite,
  orderFields,
  ownNote,
} from './orders/order-fields.js'
import { label } from './payload/label.js'
import { leaveUntouched, noteLoadedState } from './orders/loaded-state.js'
import {
  completeNewOrder,
  numberNewCart,
  rememberSite,
  type SiteOf,
} from './orders/order-creation.js'
import { withErasure } from './erasure/with-erasure.js'
import { withAccountEvents } from './shop-events/account-events.js'
import { sentProfileField } from './shop-events/account-source.js'
import { shipmentsField } from './shipping/notice/notice-collection.js'
import type { ShopEventsOf } from './shop-events/shop-events.js'
import { wakeFeed } from './shop-events/feed.js'
import { rememberStatus } from './shop-events/remember-status.js'
import { forgetSkippedOrder, forgetTrashedOrder } from './shipping/export/skipped-orders.js'
import { rememberNewCart } from './carts/remember-new-cart.js'

interface ExtensionParts {
  options: ResolvedOptions
  isAdmin: IsAdmin
  amounts: AmountParts
  siteOf: SiteOf
  eventsOf: ShopEventsOf
  partsOf: (
    payload: BasePayload,
  ) => Pick<Installed, 'sessions' | 'sites' | 'carts' | 'erasures' | 'consentProofs'>
}

/** Returns a copy with the fields and hooks that export, notices and events need. */
export function extendOrders(orders: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const { options } = parts
  const { hooks = {} } = orders
  const customersSlug = customersSlugOf(orders, options)
  const sessionsOf = (payload: BasePayload) => parts.partsOf(payload).sessions
  const withStatus = replaceField(orders.fields, options.fields.status, withShipped)
  const withItems = replaceField(withStatus, options.fields.items, withItemFields(parts.amounts))
  const fields = addFields(withItems, [
    ...orderFields(withItems, { ...parts, shipments: shipmentsField() }),
    ...checkoutConsentFields(),
    { ...ownNote, name: giverFields.email, type: 'text' },
  ])
  const extended = { ...orders, fields, admin: orderAdmin(orders.admin, options) }
  if (!options.enabled) return extended
  return {
    ...extended,
    hooks: {
      ...hooks,
      beforeOperation: [leaveUntouched, ...(hooks.beforeOperation ?? [])],
      beforeValidate: [
        ...(hooks.beforeValidate ?? []),
        completeNewOrder(
          options,
          hasConsentField(fields)
            ? consentForOrder({ names: options, customersSlug, sessionsOf })
            : undefined,
        ),
        // These run last: an order first takes the site of its cart.
        ...siteHooks(fields, parts),
      ],
      // The store's own hooks run first, because they may change the status.
      beforeChange: [...(hooks.beforeChange ?? []), rememberStatus(options, parts.eventsOf)],
      afterChange: [...(hooks.afterChange ?? []), forgetTrashedOrder, wakeFeed(parts.eventsOf)],
      beforeDelete: [...(hooks.beforeDelete ?? []), forgetSkippedOrder, keepProof(parts.partsOf)],
      afterRead: [...(hooks.afterRead ?? []), noteLoadedState(options)],
    },
  }
}

/** Returns a copy of the carts collection with the fields and hooks that orders and sessions need. */
export function extendCarts(carts: CollectionConfig, parts: ExtensionParts): CollectionConfig {
  const fields = addFields(carts.fields, [
    ...cartFields(carts.fields, parts),
    // Whoever restores a cart may read it, and is not always the person who answered.
    ...checkoutConsentFields({ read: parts.isAdmin }),
    ...consentGiverFields(),
  ])
  const extended = { ...carts, fields }
  if (!parts.options.enabled) return extended
  const customersSlug = customersSlugOf(carts, parts.options)
  const hooked = {
    ...extended,
    hooks: {
      ...carts.hooks,
      beforeValidate: [...(carts.hooks?.beforeValidate ?? []), ...siteHooks(fields, parts)],
      beforeChange: [
        ...(carts.hooks?.beforeChange ?? []),
        numberNewCart(parts.options),
        ...(hasConsentField(fields)
          ? [leaveConsentBehind({ names: parts.options, customersSlug })]
          : []),
      ],
      afterChange: [
        ...(carts.hooks?.afterChange ?? []),
        rememberNewCart({
          names: parts.options,
          customersSlug,
          sessionsOf: (payload) => parts.partsOf(payload).sessions,
        }),
      ],
    },
  }
  const { options, isAdmin } = parts
  return guardCartOwner(hooked, { path: options.fields.customer, customersSlug, isAdmin })
}

/** Returns a copy of the customers collection with hooks for the session and for profile updates. */
export function extendCustomers(
  customers: CollectionConfig,
  { options, isAdmin, eventsOf, partsOf }: ExtensionParts,
): CollectionConfig {
  if (!customers.auth) return customers
  const isToBeVerified = typeof customers.auth === 'object' && Boolean(customers.auth.verify)
  const fields = addFields(customers.fields, [
    { ...ownNote, name: sentProfileField, type: 'text' },
    ...customerConsentFields(customers.slug, isAdmin),
    ...(isToBeVerified ? verifiedEmailFields() : []),
  ])
  const extended = { ...customers, fields }
  if (!options.enabled) return extended
  const cartsSlug = options.collections.carts
  const noted = isToBeVerified ? withVerifiedEmail(extended, isAdmin) : extended
  const reported = withErasure(withAccountEvents(noted, eventsOf), partsOf)
  return withSessions(reported, { cartsSlug, partsOf })
}

const withVerifiedEmail = (customers: CollectionConfig, isAdmin: IsAdmin): CollectionConfig => ({
  ...customers,
  hooks: {
    ...customers.hooks,
    beforeChange: [...(customers.hooks?.beforeChange ?? []), rememberVerifiedEmail(isAdmin)],
  },
})

/** Fills the site field only when it holds one site. Any other field is up to the store. */
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

/** Lists orders by their number, because the extension lists them by their time only. */
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

/** The slug of the customers' collection; undefined when orders have no customer field. */
export function customersSlugOf(
  orders: { fields: readonly Field[] },
  { fields }: ResolvedOptions,
): string | undefined {
  const customer = findField(orders.fields, fields.customer)
  return customer?.type === 'relationship' && typeof customer.relationTo === 'string'
    ? customer.relationTo
    : undefined
}

type Hook = (args: { req: { payload: BasePayload } }) => unknown

/** Makes the hooks that we added do nothing where Storeconnect does not work. */
export function guardHooks(
  given: CollectionConfig,
  extended: CollectionConfig,
  works: (payload: BasePayload) => boolean,
): CollectionConfig {
  if (extended.hooks === undefined || extended.hooks === given.hooks) return extended
  const hooksOf = (collection: CollectionConfig) =>
    (collection.hooks ?? {}) as Record<string, Hook[] | undefined>
  const guarded = Object.entries(hooksOf(extended)).map(([name, hooks = []]) => {
    const own = hooksOf(given)[name] ?? []
    return [name, hooks.map((hook) => (own.includes(hook) ? hook : guard(hook, works)))]
  })
  return { ...extended, hooks: Object.fromEntries(guarded) as typeof extended.hooks }
}

/** Payload keeps the data as it is when a hook returns undefined. */
const guard =
  (hook: Hook, works: (payload: BasePayload) => boolean): Hook =>
  (args) =>
    works(args.req.payload) ? hook(args) : undefined
