import {
  definePlugin,
  type BasePayload,
  type CollectionConfig,
  type Config,
  type Endpoint,
  type Plugin,
} from 'payload'
import { deepMergeSimple } from 'payload/shared'
import { createFrontDoor, type Handle } from './actions/front-door.js'
import { createOrderExport } from './actions/order-export/order-export-direction.js'
import { createShippingAction } from './actions/shipping/shipping-action.js'
import { createShipmentNotice } from './actions/shipment-notice/shipment-notice-direction.js'
import { createFailedLogins } from './http/failed-logins.js'
import { handlerOf, withInstallation } from './installation.js'
import type { StoreConnectOptions } from './options/options.js'
import { resolveOptions, type ResolvedOptions } from './options/resolve-options.js'
import { defaultIsAdmin } from './store/payload/admin-access.js'
import { snakeCase, sqlDatabase } from './store/payload/database.js'
import { customersSlugOf, extendCarts, extendOrders } from './store/payload/extend-collections.js'
import { createOrderList } from './store/payload/fixed-order-list.js'
import { listCollection } from './store/payload/list-collection.js'
import { noticeCollection } from './store/payload/notice-collection.js'
import { omissionCollection } from './store/payload/omission-collection.js'
import { createMappedReader } from './store/payload/order-documents.js'
import { createOrderRows } from './store/payload/order-rows.js'
import { createShipmentLog } from './store/payload/order-shipments.js'
import { withRawIndex } from './store/payload/raw-index.js'
import { createOmissionRecord } from './store/payload/recorded-omissions.js'
import { hasStoreField, shippingSettingsGlobal } from './store/payload/settings-global.js'
import { siteCollection } from './store/payload/site-collection.js'
import { createSettingsSource } from './store/payload/stored-settings.js'
import { en } from './translations/en.js'

/**
 * Ties a Payload store to ShipStation. Add it to `plugins` beside `ecommercePlugin()`.
 *
 * @throws {TypeError} at start-up when an option is wrong or the extension's orders are missing.
 * @example
 * plugins: [ecommercePlugin({ … }), storeConnect({ timezone: 'Europe/Berlin' })]
 */
export const storeConnect = (options: StoreConnectOptions = {}): Plugin => plugin({ options })

const plugin = definePlugin<{ options: StoreConnectOptions }>({
  slug: 'payload-storeconnect',
  // Behind the ecommerce plugin, wherever the store lists us.
  order: 100,
  plugin: ({ config, options }) => extendConfig(config, resolveOptions(options)),
})

function extendConfig(config: Config, options: ResolvedOptions): Config {
  const { collections } = options
  const orders = config.collections?.find(({ slug }) => slug === collections.orders)
  if (orders === undefined) {
    throw new TypeError(
      `storeConnect(): there is no collection "${collections.orders}". Add ecommercePlugin(), or name the collection in collections.orders.`,
    )
  }
  const isAdmin = options.isAdmin ?? defaultIsAdmin(config, customersSlugOf(orders, options))
  const parts = { options, isAdmin }
  const extend: Record<string, (collection: CollectionConfig) => CollectionConfig> = {
    [collections.orders]: (collection) => extendOrders(collection, parts),
    [collections.carts]: (collection) => extendCarts(collection, parts),
  }
  const hasSites = config.collections?.some(({ slug }) => slug === collections.sites)

  const extended: Config = {
    ...config,
    db: withRawIndex(config.db, {
      collection: collections.orders,
      name: `${snakeCase(collections.orders)}_updated_at_id_idx`,
      on: ['updatedAt', 'id'],
    }),
    collections: [
      ...(config.collections ?? []).map(
        (collection) => extend[collection.slug]?.(collection) ?? collection,
      ),
      ...(hasSites ? [] : [siteCollection(collections.sites, isAdmin)]),
      noticeCollection(collections.orders, isAdmin),
      omissionCollection(collections.orders, isAdmin),
      listCollection,
    ],
    globals: [
      ...(config.globals ?? []),
      shippingSettingsGlobal(options.shipping.settings, orders.fields, isAdmin),
    ],
    i18n: {
      ...config.i18n,
      translations: deepMergeSimple({ en: { storeconnect: en } }, config.i18n?.translations ?? {}),
    },
  }
  if (!options.enabled) return extended

  const handlers = new WeakMap<BasePayload, Handle>()
  const handlerFor = (payload: BasePayload): Handle => {
    const handle = handlers.get(payload) ?? buildHandle(payload, options)
    handlers.set(payload, handle)
    return handle
  }
  return {
    ...extended,
    custom: withInstallation(config.custom, { handlerFor }),
    endpoints: [...(config.endpoints ?? []), ...actionEndpoints],
    async onInit(payload) {
      await config.onInit?.(payload)
      // Built at start-up, so that a field or table that is missing is told then.
      handlerFor(payload)
    },
  }
}

/** The actions below Payload's own API route, for a store that has not mounted `/actions`. */
const actionEndpoints: Endpoint[] = (
  ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
).map((method) => ({
  path: '/actions/:path*',
  method,
  handler: (req) => handlerOf(req.payload)(req as Request),
}))

/** Builds the parts and hands them over: the only place that does. */
function buildHandle(payload: BasePayload, options: ResolvedOptions): Handle {
  const database = sqlDatabase(payload)
  const { mapOrder, beforeExport, settings } = options.shipping
  const orderFields = payload.collections[options.collections.orders]?.config.fields ?? []
  const customersSlug = customersSlugOf({ fields: orderFields }, options)
  const log = payload.logger
  const now = () => new Date()

  const exportDirection = createOrderExport({
    list: createOrderList(database, options, now),
    reader: mapOrder
      ? createMappedReader(payload, options, mapOrder)
      : createOrderRows(database, options, customersSlug),
    omissions: createOmissionRecord(database),
    log,
    beforeExport,
    timezone: options.timezone,
    now,
    baseUrl: payload.config.serverURL,
    hasStoreField: (field) => hasStoreField(orderFields, field),
  })
  const shippingAction = createShippingAction({
    settings: createSettingsSource(payload, settings, process.env),
    failedLogins: createFailedLogins(),
    exportOrders: exportDirection,
    recordShipment: createShipmentNotice({
      shipments: createShipmentLog(payload, database, options),
      log,
    }),
  })
  return createFrontDoor({
    actions: { 'shippingconnect/orders/process': shippingAction },
    log,
  })
}
