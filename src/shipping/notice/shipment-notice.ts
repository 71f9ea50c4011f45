import type { Log } from '../../database/log.js'
import { createGate } from '../../database/turns.js'
import { Problem } from '../../errors.js'
import { textParameter, type RequestParameters } from '../../http/parameters.js'
import { jsonReply } from '../../http/reply.js'
import type { Shop } from '../../shop.js'
import type { ShippingHandler } from '../shipping-action.js'
import type { ShippingSettings } from '../shipping-settings.js'
import type { ShipmentLog } from './shipment-log.js'
import type { ShipNotice } from './ship-notice-xml.js'
import type { ShipmentNotice } from './notice-collection.js'

/**
 * Notices wait in line, so that they do not take all connections from the shop. The line is as long as a slow machine gets
 * through while the last one waits. ShipStation repeats a refused notice.
 */
const noticesAtOnce = 4
const noticeLine = { longest: 200, patienceMs: 20_000 }

/** `action=shipnotify`: marks an order shipped. */
export function createShipmentNotice(
  { log, effects: { after } }: Shop,
  shipments: ShipmentLog,
): ShippingHandler {
  const inLine = createGate(noticesAtOnce, { ...noticeLine, after })
  return async ({ parameters, settings, visit: { requestId } }) => {
    const request = await readNotice(parameters)
    await inLine(() => recordShipment(shipments, log, { ...request, settings, requestId }))
    return jsonReply({ success: true })
  }
}

interface NoticeRequest {
  orderNumber: string
  notice: ShipmentNotice
}

/**
 * Reads what was shipped from the parameters, and from the ShipNotice body when a parameter is absent.
 * ShipStation sends `service=` empty and the service in the body, so an empty carrier, service or
 * tracking number counts as absent; an empty `order_number` is an error.
 *
 * @throws {Problem} ORDER_NUMBER_MISSING or PARAMETER_INVALID.
 */
async function readNotice({ tree, xml }: RequestParameters): Promise<NoticeRequest> {
  const body: Partial<ShipNotice> = xml === undefined ? {} : await readBody(xml)
  const parameter = (name: string) => textParameter(tree, name)?.trim()

  const orderNumber = parameter('order_number') ?? body.OrderNumber ?? ''
  if (orderNumber === '') throw new Problem('ORDER_NUMBER_MISSING')
  return {
    orderNumber,
    notice: {
      carrier: parameter('carrier') || (body.Carrier ?? ''),
      service: parameter('service') || (body.Service ?? ''),
      trackingNumber: parameter('tracking_number') || (body.TrackingNumber ?? ''),
      shipDate: body.ShipDate,
      shippingCost: body.ShippingCost || undefined,
      lines: (body.Items?.Item ?? []).map((line) => ({
        sku: line.SKU ?? '',
        name: line.Name ?? '',
        quantity: readQuantity(line.Quantity),
      })),
    },
  }
}

function readQuantity(text: string | undefined): number {
  const quantity = Number(text ?? '')
  return Number.isFinite(quantity) ? quantity : 0
}

async function readBody(xml: string): Promise<ShipNotice> {
  const { readShipNotice } = await import('./ship-notice-xml.js')
  return readShipNotice(xml)
}

/**
 * Marks an order shipped and stores its tracking details. The checks come in the order of
 * `docs/interface.md` (Ship notice): the order, the handle settings, the status.
 *
 * @throws {Problem} ORDER_NOT_FOUND, SETTING_BLANK, STATUS_NOT_FOUND or ORDER_NOT_SAVED.
 */
async function recordShipment(
  shipments: ShipmentLog,
  log: Log,
  request: NoticeRequest & { settings: ShippingSettings; requestId: string },
): Promise<void> {
  const { orderNumber: reference, notice, settings, requestId } = request
  const { carrier, service, trackingNumber } = notice
  const status = settings.statusHandle
  const problem = (
    code: 'ORDER_NOT_FOUND' | 'SETTING_BLANK' | 'STATUS_NOT_FOUND',
    about?: Record<string, unknown>,
  ) => new Problem(code, { log: { reference, ...about } })

  const order = await shipments.findOrder(reference)
  if (order === undefined) throw problem('ORDER_NOT_FOUND')
  const place = shipments.locateEntry(settings)
  if ('blank' in place) throw problem('SETTING_BLANK', { setting: place.blank })
  if (!shipments.hasStatus(status)) throw problem('STATUS_NOT_FOUND', { statusHandle: status })
  if ('missing' in place) {
    log.error({ requestId, reference, reason: place.missing }, 'Tracking entry not written')
  }

  const hasTracking = carrier !== '' || service !== '' || trackingNumber !== ''
  const entryPlace = 'place' in place && hasTracking ? place.place : undefined
  const { isNew } = await shipments
    .record({ order, status, entryPlace, notice })
    .catch((cause: unknown) => {
      throw new Problem('ORDER_NOT_SAVED', { log: { reference }, cause })
    })
  log.info({ requestId, reference, status, carrier, trackingNumber, isNew }, 'Shipment recorded')
}
