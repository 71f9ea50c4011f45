import type { Log } from '../../core/database/log.js'
import { createGate } from '../../core/database/turns.js'
import { Problem } from '../../core/errors.js'
import { textParameter, type RequestParameters } from '../../core/http/parameters.js'
import { jsonReply } from '../../core/http/reply.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingHandler } from '../shipping-action.js'
import type { ShippingSettings } from '../shipping-settings.js'
import type { FoundOrder, ShipmentLog } from './shipment-log.js'
import type { ShipNotice, ShipNoticeItem } from './ship-notice-xml.js'
import type { OrderedLine, ParcelLine, ShipmentNotice } from './notice-collection.js'

/** Notices wait in line, so that they leave connections to the shop. ShipStation repeats one that is refused. */
const noticesAtOnce = 4
const noticeLine = { longest: 200, patienceMs: 20_000 }

export interface ExportedOrders {
  /** What is to be shipped of an order; undefined when that is not known. */
  items: (id: DocumentId) => Promise<readonly OrderedLine[] | undefined>
  /** Whether ShipStation got an order, which says that it has the order's id from it. */
  wasExported: (order: FoundOrder) => Promise<boolean>
}

/** `action=shipnotify`: marks an order shipped. */
export function createShipmentNotice(
  { log, effects: { after } }: Shop,
  shipments: ShipmentLog,
  exported: ExportedOrders,
): ShippingHandler {
  const inLine = createGate(noticesAtOnce, { ...noticeLine, after })
  return async ({ parameters, settings, visit: { requestId } }) => {
    const request = await readNotice(parameters)
    await inLine(() =>
      recordShipment({ shipments, log, exported }, { ...request, settings, requestId }),
    )
    return jsonReply({ success: true })
  }
}

interface NoticeRequest {
  /** The order's number, or its id where the notice has no number. */
  named: { text: string; by?: 'id' }
  notice: ShipmentNotice
}

/**
 * Reads what was shipped from the parameters, and from the ShipNotice body when a parameter is absent.
 * ShipStation sends `service=` empty and the service in the body, so an empty carrier, service or
 * tracking number counts as absent; an empty `order_number` is an error. Without a number, the body's OrderID
 * names the order.
 *
 * @throws {Problem} ORDER_NUMBER_MISSING or PARAMETER_INVALID.
 */
async function readNotice({ tree, xml }: RequestParameters): Promise<NoticeRequest> {
  const body: Partial<ShipNotice> = xml === undefined ? {} : await readBody(xml)
  const parameter = (name: string) => textParameter(tree, name)?.trim()

  return {
    named: namedOrder(parameter('order_number'), body),
    notice: {
      carrier: parameter('carrier') || (body.Carrier ?? ''),
      service: parameter('service') || (body.Service ?? ''),
      trackingNumber: parameter('tracking_number') || (body.TrackingNumber ?? ''),
      shipDate: body.ShipDate,
      shippingCost: body.ShippingCost || undefined,
      ...presentParts(body),
      lines: (body.Items?.Item ?? []).map(readLine),
    },
  }
}

/** @throws {Problem} ORDER_NUMBER_MISSING. */
function namedOrder(number: string | undefined, body: Partial<ShipNotice>): NoticeRequest['named'] {
  const text = number ?? body.OrderNumber ?? ''
  if (text !== '') return { text }
  if (number === '' || !body.OrderID) throw new Problem('ORDER_NUMBER_MISSING')
  return { text: body.OrderID, by: 'id' }
}

/** What ShipStation says beside the parcel itself. What it leaves out is absent. */
function presentParts(body: Partial<ShipNotice>): Partial<ShipmentNotice> {
  const { Recipient: to } = body
  const parts: Partial<Record<keyof ShipmentNotice, unknown>> = {
    labelCreatedAt: body.LabelCreateDate,
    notifyCustomer: body.NotifyCustomer,
    notesToCustomer: body.NotesToCustomer,
    customField1: body.CustomField1,
    customField2: body.CustomField2,
    customField3: body.CustomField3,
    recipient: to && {
      name: to.Name ?? '',
      company: to.Company ?? '',
      address1: to.Address1 ?? '',
      address2: to.Address2 ?? '',
      city: to.City ?? '',
      state: to.State ?? '',
      postalCode: to.PostalCode ?? '',
      country: to.Country ?? '',
    },
  }
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined && value !== ''),
  )
}

const readLine = (line: ShipNoticeItem): ParcelLine => ({
  ...(line.LineItemID && { lineItemId: line.LineItemID }),
  sku: line.SKU ?? '',
  name: line.Name ?? '',
  quantity: readQuantity(line.Quantity),
})

function readQuantity(text: string | undefined): number {
  const quantity = Number(text ?? '')
  return Number.isFinite(quantity) ? quantity : 0
}

async function readBody(xml: string): Promise<ShipNotice> {
  const { readShipNotice } = await import('./ship-notice-xml.js')
  return readShipNotice(xml)
}

async function findOrder(
  { text, by }: NoticeRequest['named'],
  { shipments, exported }: { shipments: ShipmentLog; exported: ExportedOrders },
): Promise<FoundOrder | undefined> {
  const order = await shipments.findOrder(text, by)
  if (order === undefined || order.isInTrash) return undefined
  // ShipStation has a draft that nobody has paid only when it was published and exported before.
  const isUncertain = by === 'id' || order.isDraft
  return !isUncertain || (await exported.wasExported(order)) ? order : undefined
}

/**
 * Marks an order shipped and stores its tracking details. The checks come in the order of
 * `docs/interface.md` (Ship notice): the order, the handle settings, the status.
 *
 * @throws {Problem} ORDER_NOT_FOUND, SETTING_BLANK, STATUS_NOT_FOUND or ORDER_NOT_SAVED.
 */
async function recordShipment(
  { shipments, log, exported }: { shipments: ShipmentLog; log: Log; exported: ExportedOrders },
  request: NoticeRequest & { settings: ShippingSettings; requestId: string },
): Promise<void> {
  const { named, notice, settings, requestId } = request
  const { carrier, service, trackingNumber } = notice
  const status = settings.statusHandle
  const problem = (
    code: 'ORDER_NOT_FOUND' | 'SETTING_BLANK' | 'STATUS_NOT_FOUND',
    about?: Record<string, unknown>,
  ) => new Problem(code, { log: { reference: named.text, ...about } })

  const order = await findOrder(named, { shipments, exported })
  if (order === undefined) throw problem('ORDER_NOT_FOUND')
  const { reference } = order
  const place = shipments.locateEntry(settings)
  if ('blank' in place) throw problem('SETTING_BLANK', { setting: place.blank })
  if (!shipments.hasStatus(status)) throw problem('STATUS_NOT_FOUND', { statusHandle: status })
  if ('missing' in place) {
    log.error({ requestId, reference, reason: place.missing }, 'Tracking entry not written')
  }

  const hasTracking = carrier !== '' || service !== '' || trackingNumber !== ''
  const entryPlace = 'place' in place && hasTracking ? place.place : undefined
  const ordered = notice.lines.length === 0 ? [] : await exported.items(order.id)
  if (ordered === undefined) {
    log.warn({ requestId, reference }, 'What is left to ship of an order is not known')
  }
  const waitsForAllItems = settings.waitForAllItems
  const { isNew } = await shipments
    .record({ order, status, entryPlace, notice, ordered, waitsForAllItems })
    .catch((cause: unknown) => {
      throw new Problem('ORDER_NOT_SAVED', { log: { reference }, cause })
    })
  log.info({ requestId, reference, status, carrier, trackingNumber, isNew }, 'Shipment recorded')
}
