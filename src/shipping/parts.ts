import { keepsBlocksAsJson, columnOrNull } from '../core/database/database.js'
import type { HttpParts } from '../core/http/parts.js'
import { createLoginThrottle } from '../core/http/login-throttle.js'
import type { OrderParts } from '../shop/orders/parts.js'
import { endingStatuses } from '../shop/orders/happening.js'
import { fieldsOfOrders } from '../shop/orders/order-fields.js'
import { createSettings } from '../core/payload/settings-table.js'
import type { Shop } from '../core/shop.js'
import { withTrial } from '../core/trial.js'
import { createExportedOrders, createOrderExport, createRecheck } from './export/order-export.js'
import { createOrderPreview, createWindowPreview } from './export/previews.js'
import { createSkippedOrders, skippedOrdersSlug } from './export/skipped-orders.js'
import { createParcelsOfOrders } from './notice/parcels-of-orders.js'
import { createShipmentLog } from './notice/shipment-log.js'
import { createShipmentNotice } from './notice/shipment-notice.js'
import { locateTracking } from './notice/tracking-place.js'
import { hasStoreField } from '../shop/orders/order-choices.js'
import { featureMatters } from '../core/matter.js'
import { shippingMatters } from './matters.js'
import { createShippingFacts } from './shipping-facts.js'
import { createShippingAction } from './shipping-action.js'
import { isComplete } from './shipping-access.js'
import type { ShippingShop } from './shipping-options.js'
import { shippingSettingsPage } from './shipping-settings.js'
import { createShipStationRequests } from './shipstation-requests.js'
import { defineParts, type ForgetPerson } from '../core/feature.js'
import { noticesSlug, withoutPerson } from './notice/notice-collection.js'

export type ShippingParts = ReturnType<typeof build>

/** What a feature above may add: the statuses of the store's own that end an order. */
interface OwnStatuses {
  ownEndingStatuses?: () => Promise<readonly string[]>
}

function build(shop: ShippingShop, { counts, ...parts }: HttpParts & OrderParts) {
  const { payload, options, log, effects } = shop
  const shippingSettings = withTrial(
    createSettings(shop, shippingSettingsPage, options.shipping.settings),
    shop,
    {
      isMissing: ({ credentials }) => !isComplete(credentials),
      lend: (settings, { shipping = settings.credentials }) => ({
        ...settings,
        credentials: shipping,
      }),
    },
  )
  const shipStation = createShipStationRequests(shop)
  const shippingThrottle = createLoginThrottle('shipping', { counts, log, now: effects.now })
  const shipments = createShipmentLog(shop)
  const checks = { reader: parts.reader, skippedOrders: createSkippedOrders(shop) }
  const watched = {
    shippingSettings,
    shipStation,
    /** Counts the logins that ShipStation's URL refuses. */
    shippingThrottle,
    shipments,
    parcelsOfOrders: createParcelsOfOrders(shop, shippingSettings.get),
    hasStoreField: (field: string) => hasStoreField(fieldsOfOrders(payload, options), field),
    recheckSkipped: createRecheck(shop, checks),
  }
  return {
    ...watched,
    shippingFacts: createShippingFacts(shop, watched),
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
          createExportedOrders(shop, parts.reader),
        ),
      },
    ),
  }
}

export const shippingParts = defineParts({
  build,
  matters: (_shop: Shop, { shippingFacts, ownEndingStatuses }: ShippingParts & OwnStatuses) =>
    featureMatters(shippingMatters, async (once) => ({
      ...(await once(shippingFacts)),
      endingStatuses: async () => [...endingStatuses, ...((await ownEndingStatuses?.()) ?? [])],
    })),
  actions: (_shop: Shop, { shippingAction }: ShippingParts) => ({
    'shippingconnect/orders/process': shippingAction,
  }),
  forgetPerson: createForgetPerson,
  async start(shop: Shop, { shippingSettings }: ShippingParts) {
    if (!keepsBlocksAsJson(shop.payload)) return
    const matrix = locateTracking(shop, await shippingSettings.get())
    if ('missing' in matrix) shop.payload.logger.error(matrix.missing)
  },
})

export function createForgetPerson({ database }: Pick<Shop, 'database'>): ForgetPerson {
  const skipped = database.table(skippedOrdersSlug)
  const notices = database.table(noticesSlug)
  return (connection, { orders, isAnonymised }) => [
    ...(isAnonymised && orders.length > 0
      ? [connection.delete(skipped, database.isOneOf(columnOrNull(skipped, 'order'), orders))]
      : []),
    connection.update(
      notices,
      withoutPerson,
      database.isOneOf(columnOrNull(notices, 'order'), orders),
    ),
  ]
}
