import { hasTracking, type ShipmentNotice } from '../../commerce/shipment-notice.js'
import { Problem } from '../../errors.js'
import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { Log } from '../../store/log.js'
import type { ShipmentLog } from '../../store/shipment-log.js'

/**
 * Marks an order shipped and keeps its tracking details. The checks come in the order of
 * `decisions.md` (Shipping): the order, the handle settings, the status.
 *
 * @throws {Problem} ORDER_NOT_FOUND, SETTING_BLANK, STATUS_NOT_FOUND or ORDER_NOT_SAVED.
 */
export async function recordShipment(
  { shipments, log }: { shipments: ShipmentLog; log: Log },
  { orderNumber, notice, settings, requestId }: ShipmentRequest,
): Promise<void> {
  const order = await shipments.findOrder(orderNumber)
  if (order === undefined) throw new Problem('ORDER_NOT_FOUND', { log: { reference: orderNumber } })
  const { reference } = order

  const fail = (code: 'SETTING_BLANK' | 'STATUS_NOT_FOUND', about: Record<string, unknown>) =>
    new Problem(code, { log: { reference, ...about } })
  const place = locateEntry(shipments, settings)
  if ('blank' in place) throw fail('SETTING_BLANK', { setting: place.blank })
  const status = settings.statusHandle
  if (!shipments.hasStatus(status)) throw fail('STATUS_NOT_FOUND', { statusHandle: status })
  if ('missing' in place) {
    log.error({ requestId, reference, reason: place.missing }, 'Tracking entry not written')
  }

  const entryPlace = 'place' in place && hasTracking(notice) ? place.place : undefined
  const { isNew } = await shipments
    .record({ order, status, entryPlace, notice })
    .catch((cause: unknown) => {
      throw new Problem('ORDER_NOT_SAVED', { log: { reference }, cause })
    })
  const { carrier, trackingNumber } = notice
  log.info({ requestId, reference, status, carrier, trackingNumber, isNew }, 'Shipment recorded')
}

export interface ShipmentRequest {
  orderNumber: string
  notice: ShipmentNotice
  settings: ShippingSettings
  requestId: string
}

/** Where the settings have the tracking entry, or why there is no such place. */
export function locateEntry(
  shipments: Pick<ShipmentLog, 'locateEntry'>,
  settings: ShippingSettings,
): ReturnType<ShipmentLog['locateEntry']> {
  const { matrixField, entryType, carrierField, serviceField, trackingNumberField } = settings
  const handles = { matrixField, carrierField, serviceField, trackingNumberField }
  const blank = Object.entries(handles).find(([, handle]) => handle === '')?.[0]
  return blank === undefined ? shipments.locateEntry({ ...handles, entryType }) : { blank }
}
