import type { BasePayload } from 'payload'
import { keepsBlocksAsJson } from '../database/database.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import { fieldsOfOrders } from '../orders/order-fields.js'
import { addFieldAfter } from '../payload/field-search.js'
import { settingsGlobal } from '../payload/settings-table.js'
import type { ShopOptions } from '../shop.js'
import { pullCollection } from './pull-collection.js'
import {
  forgetSkippedOrder,
  forgetTrashedOrder,
  skippedOrderCollection,
} from './export/skipped-orders.js'
import { keepShipment } from './notice/keep-shipment.js'
import { noticeCollection, shipmentsField } from './notice/notice-collection.js'
import { orderChoices, type OrderStatuses } from './order-choices.js'
import { shippingOptions, type ShippingShop } from './shipping-options.js'
import { shippingSettingsPage } from './shipping-settings.js'
import type { ShippingParts } from './parts.js'

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
        settingsOf: async (payload) => (await store.workingPartsOf(payload))?.shippingSettings,
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
  hooks: ({ options, partsOf }: StoreConfig<object, ShippingParts>) => ({
    [options.collections.orders]: (orders) => ({
      ...orders,
      hooks: {
        ...orders.hooks,
        ...(orders.versions && {
          // The store's own hooks may change the status, and run first.
          beforeChange: [
            ...(orders.hooks?.beforeChange ?? []),
            keepShipment(options, locateEntry(partsOf)),
          ],
        }),
        afterChange: [...(orders.hooks?.afterChange ?? []), forgetTrashedOrder],
        beforeDelete: [...(orders.hooks?.beforeDelete ?? []), forgetSkippedOrder],
      },
    }),
  }),
  // What is wrong with such a store is said at its start.
  isNeededAtStart: (_store: StoreConfig, payload) => keepsBlocksAsJson(payload),
  parts: async () => (await import('./parts.js')).shippingParts,
})

const locateEntry =
  (partsOf: StoreConfig<object, ShippingParts>['partsOf']) => async (payload: BasePayload) => {
    const { shipments, shippingSettings } = await partsOf(payload)
    return shipments.locateEntry(await shippingSettings.get())
  }

/** What the orders offer for settings. It reads the final config, because later plugins may add fields. */
const choicesIn = (options: ShopOptions) => (payload: BasePayload) =>
  orderChoices(fieldsOfOrders(payload, options), options.fields)

export const orderStatuses = (options: ShopOptions): OrderStatuses => ({
  statusesIn: (payload) => choicesIn(options)(payload).statuses,
})
