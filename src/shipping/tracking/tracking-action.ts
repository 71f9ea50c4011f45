import { Problem } from '../../core/errors.js'
import { invalidParameter } from '../../core/http/parameter-tree.js'
import { jsonReply } from '../../core/http/reply.js'
import type { Action } from '../../core/http/visit.js'
import type { Shop } from '../../core/shop.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import type { ShippingParts } from '../parts.js'
import { readSignedBody } from './signed-body.js'
import { createSigningKeys } from './signing-keys.js'
import { createTrackedParcels } from './tracked-parcels.js'
import { readTrackingReport } from './tracking-report.js'

/** What a feature above may add: whether anybody is told of a parcel's state now. */
export interface ParcelEvents {
  isParcelEventOn?: (state: ParcelState) => Promise<boolean>
}

/**
 * Answers ShipStation's webhooks about parcels. ShipStation sends those of all stores of an account, so a parcel of
 * nobody here is no error.
 */
export function createTrackingAction(
  shop: Pick<Shop, 'database' | 'effects' | 'log'>,
  { shippingSettings, isParcelEventOn }: Pick<ShippingParts, 'shippingSettings'> & ParcelEvents,
): Action {
  const { log, effects } = shop
  const keyOf = createSigningKeys(shop)
  const parcels = createTrackedParcels(shop)
  return async ({ request, requestId }) => {
    if (!(await shippingSettings.get()).trackingUpdates) throw new Problem('ACTION_NOT_FOUND')
    const { body, sentAt } = await readSignedBody(request, { keyOf, now: effects.now() })
    const report = readTrackingReport(parsedBody(body), sentAt)
    if (report === undefined) return received
    if ('invalid' in report) throw invalidParameter(`The field "${report.invalid}" is not valid.`)

    const { state, trackingNumber } = report
    const isOff = (await isParcelEventOn?.(state)) === false
    const orders = await parcels.record(report, isOff)
    const about = { requestId, trackingNumber, state, orders }
    if (orders === 0) log.debug(about, 'No order has the parcel of a tracking update')
    else log.info(about, 'Tracking update recorded')
    return received
  }
}

const received = jsonReply({ success: true })

function parsedBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw invalidParameter('The body is no JSON.', cause)
  }
}
