import { jsonReply } from '../../http/reply.js'
import type { Log } from '../../store/log.js'
import type { ShipmentLog } from '../../store/shipment-log.js'
import type { ShippingDirection } from '../shipping/shipping-action.js'
import { readNoticeQuery } from './notice-query.js'
import { recordShipment } from './record-shipment.js'

/** `action=shipnotify`: marks an order shipped. */
export function createShipmentNotice(parts: {
  shipments: ShipmentLog
  log: Log
  /** Lets it wait while there are many. */
  inLine: (work: () => Promise<void>) => Promise<void>
}): ShippingDirection {
  return async ({ parameters, settings, visit }) => {
    const query = readNoticeQuery(parameters)
    const { requestId } = visit
    await parts.inLine(() => recordShipment(parts, { ...query, settings, requestId }))
    return jsonReply({ success: true })
  }
}
