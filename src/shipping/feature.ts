import type { BasePayload } from 'payload'
import { keepsBlocksAsJson } from '../database/database.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { createLoginThrottle } from '../http/login-throttle.js'
import type { OrderParts } from '../orders/feature.js'
import { fieldsOfOrders } from '../orders/order-fields.js'
import { addFieldAfter } from '../payload/field-search.js'
import { createSettings, settingsGlobal } from '../payload/settings-table.js'
import type { Shop, ShopOptions } from '../shop.js'
import { createOrderedLines, createOrderExport, createRecheck } from './export/order-export.js'
import { createOrderPreview } from './export/preview-order.js'
import { pullCollection } from './pull-collection.js'
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
import { hasStoreField, orderChoices, type OrderStatuses } from './order-choices.js'
import { createShippingAction } from './shipping-action.js'
import { shippingOptions, type ShippingShop } from './shipping-options.js'
import { shippingSettingsPage } from './shipping-settings.js'
import { createShipStationRequests } from './shipstation-requests.js'

export type ShippingParts = ReturnType<typeof build>

function build(shop: ShippingShop, { counts, ...parts }: HttpParts & OrderParts) {
  const { payload, options, log, effects } = shop
  const shippingSettings = createSettings(shop, shippingSettingsPage, options.shipping.settings)
  const shipStation = createShipStationRequests(shop)
  const shippingThrottle = createLoginThrottle('shipping', { counts, log, now: effects.now })
  const shipments = createShipmentLog(shop)
  const checks = { reader: parts.reader, skippedOrders: createSkippedOrders(shop) }
  return {
    shippingSettings,
    shipStation,
    /** Counts the logins that ShipStation's URL refuses. */
    shippingThrottle,
    shipments,
    hasStoreField: (field: string) => hasStoreField(fieldsOfOrders(payload, options), field),
    recheckSkipped: createRecheck(shop, checks),
    previewOrder: createOrderPreview(shop, parts, { shipments, settings: shippingSettings.get }),
    previewWindow: createWindowPreview(shop, parts, shippingSettings.get),
    shippingAction: createShippingAction(
      shop,
      { shippingSettings, shippingThrottle, shipStation },
      {
        exportOrders: createOrderExport(shop, checks),
        recordShipment: createShipmentNotice(
          shop,
          shipments,
          createOrderedLines(shop, parts.reader),
        ),
      },
    ),
  }
}

/** Orders out to ShipStation, and shipments in. */
export const shippingFeature = defineFeature({
  options: { shipping: shippingOptions },
  collections: ({ options: { collections }, isAdmin, effects }: StoreConfig) => [
    noticeCollection(collections.orders, isAdmin),
    skippedOrderCollection(collections.orders, isAdmin),
    pullCollection(isAdmin, effects),
  ],
  globals: (store: StoreConfig<ShippingShop['options'], ShippingParts>) => [
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
      fields: addFieldAfter(orders.fields, fields.tracking, shipmentsField()),
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
  async start(shop: Shop, { shippingSettings }: ShippingParts) {
    if (!keepsBlocksAsJson(shop.payload)) return
    const matrix = locateTracking(shop, await shippingSettings.get())
    if ('missing' in matrix) shop.payload.logger.error(matrix.missing)
  },
})

/** What the orders offer for settings. It reads the final config, because later plugins may add fields. */
const choicesIn = (options: ShopOptions) => (payload: BasePayload) =>
  orderChoices(fieldsOfOrders(payload, options), options.fields)

export const orderStatuses = (options: ShopOptions): OrderStatuses => ({
  statusesIn: (payload) => choicesIn(options)(payload).statuses,
})
