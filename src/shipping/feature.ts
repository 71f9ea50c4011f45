import type { Field, FieldHook } from 'payload'
import { keepsBlocksAsJson } from '../core/database/database.js'
import { defineFeature, type StoreConfig } from '../core/feature.js'
import { ownNote, exportedAsField } from '../shop/orders/order-fields.js'
import { addFieldAfter, addFields, fieldPaths, replaceField } from '../core/payload/field-search.js'
import { withHooks } from '../core/payload/collection-hooks.js'
import { settingsGlobal } from '../core/payload/settings-table.js'
import { pullCollection } from './pull-collection.js'
import {
  forgetSkippedOrder,
  forgetTrashedOrder,
  skippedOrderCollection,
} from './export/skipped-orders.js'
import { keepShipment, type EntryPlaceIn } from './notice/keep-shipment.js'
import { noticeCollection, shipmentsField } from './notice/notice-collection.js'
import { choicesIn } from '../shop/orders/order-choices.js'
import { shippingMatters } from './matters.js'
import { shippingOptions, type ShippingShop } from './shipping-options.js'
import { shippingSettingsPage } from './shipping-settings.js'
import type { ShippingParts } from './parts.js'

/** Orders out to ShipStation, and shipments in. */
export const shippingFeature = defineFeature({
  options: { shipping: shippingOptions },
  matters: shippingMatters,
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
        parts: { choicesIn: choicesIn(store.options), timezone: store.options.timezone },
        settingsOf: async (payload) => (await store.workingPartsOf(payload))?.shippingSettings,
      },
      store,
    ),
  ],
  fields: ({
    options: { collections, fields },
    workingPartsOf,
  }: StoreConfig<object, ShippingParts>) => ({
    [collections.orders]: (orders) => ({
      ...orders,
      fields: withoutCopiedParcels(
        addFieldAfter(
          addFields(orders.fields, [
            { ...ownNote, name: exportedAsField, type: 'text', index: true },
          ]),
          fields.tracking,
          shipmentsField(),
        ),
        entryPlaceBy(workingPartsOf),
      ),
    }),
  }),
  hooks: ({ options, workingPartsOf }: StoreConfig<object, ShippingParts>) => ({
    [options.collections.orders]: (orders) =>
      withHooks(orders, {
        ...(orders.versions && {
          beforeChange: [keepShipment(options, entryPlaceBy(workingPartsOf))],
        }),
        afterChange: [forgetTrashedOrder],
        beforeDelete: [forgetSkippedOrder],
      }),
  }),
  // What is wrong with such a store is said at its start.
  isNeededAtStart: (_store: StoreConfig, payload) => keepsBlocksAsJson(payload),
  parts: async () => (await import('./parts.js')).shippingParts,
})

const entryPlaceBy =
  (workingPartsOf: StoreConfig<object, ShippingParts>['workingPartsOf']): EntryPlaceIn =>
  async (payload) => {
    const parts = await workingPartsOf(payload)
    const located = parts?.shipments.locateEntry(await parts.shippingSettings.get())
    return located !== undefined && 'place' in located ? located.place : undefined
  }

/** A copy of an order has not been shipped. Any list may be the one that holds the parcels. */
const withoutCopiedParcels = (fields: Field[], entryPlaceIn: EntryPlaceIn): Field[] =>
  fieldPaths(fields).reduce((all, { path }) => {
    const leave: FieldHook = async ({ value: copied, req }): Promise<unknown> => {
      const value: unknown = copied
      const place = await entryPlaceIn(req.payload)
      if (place?.field !== path || !Array.isArray(value)) return value
      return (value as { blockType?: string }[]).filter(
        ({ blockType }) => place.block !== undefined && blockType !== place.block,
      )
    }
    return replaceField(all, path, (field) =>
      field.type === 'array' || field.type === 'blocks'
        ? {
            ...field,
            hooks: {
              ...field.hooks,
              beforeDuplicate: [...(field.hooks?.beforeDuplicate ?? []), leave],
            },
          }
        : field,
    )
  }, fields)
