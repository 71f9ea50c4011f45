import type { BasePayload } from 'payload'
import { keepsBlocksAsJson } from '../database/database.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { createLoginThrottle } from '../http/login-throttle.js'
import type { OptionsOf } from '../options-schema.js'
import type { OrderParts } from '../orders/feature.js'
import { addFieldBehind } from '../payload/field-search.js'
import { createSettings, settingsGlobal } from '../payload/settings-table.js'
import type { Shop, ShopOptions } from '../shop.js'
import { createOrderExport, createRecheck } from './export/order-export.js'
import { createOrderList, listCollection } from './export/fixed-order-list.js'
import { createOrderPreview } from './export/preview-order.js'
import { createWindowPreview } from './export/preview-window.js'
import {
  createSkippedOrders,
  forgetSkippedOrder,
  forgetTrashedOrder,
  skippedOrderCollection,
} from './export/skipped-orders.js'
import { noticeCollection, shipmentsField } from './notice/notice-collection.js'
import { createShipmentLog } from './notice/shipment-log.js'
import { createShipmentNotice } from './notice/shipment-notice.js'
import { locateTracking } from './notice/tracking-place.js'
import { hasStoreField as isStoreField, orderChoices } from './order-choices.js'
import { createShippingAction } from './shipping-action.js'
import { shippingOptions } from './shipping-options.js'
import { shippingSettingsPage } from './shipping-settings.js'
import { createShipStationRequests } from './shipstation-requests.js'

interface Options {
  shipping: OptionsOf<typeof shippingOptions>
}

export type ShippingParts = ReturnType<typeof build>

function build(shop: Shop<Options>, { counts, reader, orderFields }: HttpParts & OrderParts) {
  const { payload, options, database, log, clock } = shop
  const { collections, timezone } = options
  const { beforeExport, settings: presets } = options.shipping
  const now = () => clock.now()
  const shippingSettings = createSettings(shop, shippingSettingsPage, presets)
  const shipStation = createShipStationRequests(payload, log)
  const throttle = createLoginThrottle('shipping', { counts, log, now })
  const hasStoreField = (field: string) => isStoreField(orderFields, field)
  const skippedOrders = createSkippedOrders(database, options)
  const shipments = createShipmentLog(payload, database, options)
  const baseUrl = payload.config.serverURL
  const validation = { reader, beforeExport, log }
  const selection = { hasStoreField, timezone, now }
  const previewed = { database, ordersSlug: collections.orders, ...validation }
  return {
    shippingSettings,
    shipStation,
    /** Counts the logins that ShipStation's URL refuses. */
    shippingThrottle: throttle,
    shipments,
    hasStoreField,
    recheckSkipped: createRecheck({ skippedOrders, ...validation }),
    previewOrder: createOrderPreview({ ...previewed, shipments, baseUrl }),
    previewWindow: createWindowPreview({
      ...previewed,
      ...selection,
      settings: shippingSettings.get,
    }),
    shippingAction: createShippingAction({
      settings: shippingSettings.get,
      throttle,
      exportOrders: createOrderExport({
        ...validation,
        ...selection,
        list: createOrderList(database, { collections, log }, now),
        skippedOrders,
        shipStation,
        baseUrl,
      }),
      recordShipment: createShipmentNotice({ shipments, log }),
      shipStation,
      now,
    }),
  }
}

/** Orders out to ShipStation, and shipments in. */
export const shippingFeature = {
  options: { shipping: shippingOptions },
  collections: ({ options: { collections }, isAdmin }: StoreConfig) => [
    noticeCollection(collections.orders, isAdmin),
    skippedOrderCollection(collections.orders, isAdmin),
    listCollection(),
  ],
  globals: (store: StoreConfig<Options, ShippingParts>) => [
    settingsGlobal(
      shippingSettingsPage,
      {
        presets: store.options.shipping.settings,
        parts: { choicesIn: choicesIn(store.options) },
        settingsOf: (payload) => store.workingPartsOf(payload)?.shippingSettings,
      },
      store,
    ),
  ],
  fields: ({ options: { collections, fields } }: StoreConfig) => ({
    [collections.orders]: (orders) => ({
      ...orders,
      fields: addFieldBehind(orders.fields, fields.tracking, shipmentsField()),
    }),
  }),
  hooks: ({ options: { collections } }: StoreConfig) => ({
    [collections.orders]: (orders) => ({
      ...orders,
      hooks: {
        ...orders.hooks,
        afterChange: [...(orders.hooks?.afterChange ?? []), forgetTrashedOrder],
        beforeDelete: [...(orders.hooks?.beforeDelete ?? []), forgetSkippedOrder],
      },
    }),
  }),
  build,
  actions: (_shop: Shop, { shippingAction }: ShippingParts) => ({
    'shippingconnect/orders/process': shippingAction,
  }),
  async start({ payload, options: { collections } }: Shop, { shippingSettings }: ShippingParts) {
    if (!keepsBlocksAsJson(payload)) return
    const matrix = locateTracking(payload, collections.orders, await shippingSettings.get())
    if ('missing' in matrix) payload.logger.error(matrix.missing)
  },
} satisfies Feature

/** What the orders offer for settings. It reads the final config, because later plugins may add fields. */
export const choicesIn =
  ({ collections, fields }: ShopOptions) =>
  (payload: BasePayload) =>
    orderChoices(payload.collections[collections.orders]?.config.fields ?? [], fields)
