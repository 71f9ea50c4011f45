import type { CollectionConfig, Config, Field, PayloadRequest } from 'payload'
import { snakeCase } from '../../core/database/database.js'
import { withIndex } from '../../core/database/changed-table.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { addFields, replaceField } from '../../core/payload/field-search.js'
import { shopMatters } from '../matters.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { label } from '../../core/payload/label.js'
import type { Products } from '../../core/shop.js'
import type { SiteParts } from '../sites/parts.js'
import { currenciesOf, type AmountCurrencies } from './amount-field.js'
import { withChangesOnly } from './changes-only.js'
import { leaveUntouched, noteLoadedState } from './loaded-state.js'
import {
  completeNewOrder,
  numberNewCart,
  publishPaidOrder,
  rememberPaidLines,
  rememberSite,
  takeFromPackages,
} from './order-creation.js'
import {
  cartFields,
  hasOneSite,
  itemFields,
  orderFields,
  ownNote,
  paidLinesField,
  standingColumn,
} from './order-fields.js'
import { checkNamedFields } from './named-fields.js'
import { productExtensions } from './product-fields.js'
import { orderOptions } from './order-options.js'
import { searchedPaths, searchEachWord } from './order-search.js'

type Options = OptionsOf<typeof orderOptions>

type Store = StoreConfig<Options, SiteParts>

/** The fields that orders and carts need, and how an order is read. */
export const ordersFeature = defineFeature({
  options: orderOptions.shape,
  matters: shopMatters,
  fields(store: Store) {
    const { config, options, isAdmin } = store
    const amounts = amountsOf(store)
    return {
      ...(options.addProductFields ? productExtensions(config, options) : {}),
      [options.collections.orders]: (orders) => {
        const withStatus = replaceField(orders.fields, options.fields.status, withShipped)
        const withItems = replaceField(
          withStatus,
          options.fields.items,
          withItemFields(amounts, options.products),
        )
        const fields = addFields(withItems, orderFields(withItems, { options, isAdmin, amounts }))
        return { ...orders, fields, admin: orderAdmin({ ...orders, fields }, store) }
      },
      [options.collections.carts]: (carts) => ({
        ...carts,
        fields: addFields(carts.fields, cartFields(carts.fields, { options, isAdmin, amounts })),
      }),
      [options.collections.transactions]: (transactions) => ({
        ...transactions,
        fields: addFields(transactions.fields, [
          { ...ownNote, name: paidLinesField, type: 'json' },
        ]),
      }),
    }
  },
  hooks(store: Store) {
    const { options, fromCart, effects } = store
    return {
      [options.collections.orders]: (orders) => {
        const beforeOperation = [leaveUntouched, ...(orders.hooks?.beforeOperation ?? [])]
        return withHooks(
          { ...orders, hooks: { ...orders.hooks, beforeOperation } },
          {
            beforeOperation: [publishPaidOrder(options), searchEachWord],
            beforeValidate: [
              completeNewOrder(options, fromCart(orders), effects),
              // These run last: an order first takes the site of its cart.
              ...siteHooks(orders.fields, store),
            ],
            beforeChange: [takeFromPackages(options)],
            afterRead: [noteLoadedState(options)],
          },
        )
      },
      [options.collections.carts]: (carts) =>
        withHooks(carts, {
          beforeValidate: siteHooks(carts.fields, store),
          beforeChange: [numberNewCart(options, effects)],
        }),
      [options.collections.transactions]: (transactions) =>
        withHooks(transactions, { beforeChange: [rememberPaidLines(options)] }),
    }
  },
  config(config: Config, { options, effects }: StoreConfig<Options>) {
    const { enabled, collections } = options
    if (enabled) checkNamedFields(config, options)
    const db = enabled ? withChangesOnly(config.db, collections.orders, effects) : config.db
    return {
      ...config,
      db: withIndex(db, {
        collection: collections.orders,
        name: `${snakeCase(collections.orders)}_updated_at_id_idx`,
        on: ['updatedAt', 'id'],
      }),
    }
  },
  parts: async () => (await import('./parts.js')).ordersParts,
})

function amountsOf({ config, options: { collections, fields } }: StoreConfig): AmountCurrencies {
  const orders = config.collections?.find(({ slug }) => slug === collections.orders)
  return {
    currencies: currenciesOf(orders?.fields ?? [], fields.amount),
    currencyPath: fields.currency,
  }
}

/** Fills the site field only when it holds one site. Any other field is up to the store. */
const siteHooks = (fields: readonly Field[], { options, partsOf }: Store) =>
  hasOneSite(fields, options)
    ? [rememberSite(options, async (req) => siteOf(req, await partsOf(req.payload)))]
    : []

async function siteOf(req: PayloadRequest, { sites }: SiteParts) {
  const { payloadAPI, headers, url } = req
  // A call of the local API has no URL of its own; Payload invents one.
  const asked = payloadAPI === 'local' ? undefined : url
  return (await sites.ofRequest({ url: asked, headers }, req))?.id
}

function withShipped(status: Field): Field {
  if (status.type !== 'select' && status.type !== 'radio') return status
  const isShipped = (option: (typeof status.options)[number]) =>
    (typeof option === 'string' ? option : option.value) === 'shipped'
  if (status.options.some(isShipped)) return status
  return { ...status, options: [...status.options, { label: label('shipped'), value: 'shipped' }] }
}

const withItemFields =
  (amounts: AmountCurrencies, products: Products) =>
  (items: Field): Field =>
    items.type === 'array'
      ? { ...items, fields: addFields(items.fields, itemFields(amounts, products)) }
      : items

/** Lists orders by their number, because the extension lists them by their time only. */
function orderAdmin(
  orders: CollectionConfig,
  { config, options }: StoreConfig,
): NonNullable<CollectionConfig['admin']> {
  const { fields } = options
  const listSearchableFields = searchedPaths(orders, options, config.collections ?? [])
  const admin = { ...orders.admin, listSearchableFields }
  const isUntouched = admin.useAsTitle === undefined || admin.useAsTitle === 'createdAt'
  if (!isUntouched || fields.reference.includes('.')) return admin
  return {
    ...admin,
    useAsTitle: fields.reference,
    defaultColumns: admin.defaultColumns ?? [
      fields.reference,
      'createdAt',
      fields.customer,
      fields.amount,
      fields.status,
      standingColumn,
    ],
  }
}
