import * as z from 'zod/mini'
import type { ParcelState } from '../../shop/orders/parcel-state.js'

/** What ShipStation reports of one parcel. */
export interface TrackingReport {
  trackingNumber: string
  /** ShipStation's code of the carrier, such as `stamps_com`; blank when it names none. */
  carrier: string
  state: ParcelState
  /** When the carrier saw it, as an ISO date. */
  at: string
  /** The day of delivery that the carrier expects, such as `2026-11-30`. */
  estimatedDelivery: string | undefined
}

const text = z.nullish(z.string())

const moment = z.iso.datetime({ offset: true })

const scan = z.object({ occurred_at: text, status_code: text })

/**
 * The parts of `TRACK_EVENT_V2` that are read (https://docs.shipstation.com/apis/docs/guides/webhooks-schemas). Nothing
 * that is about a person is among them.
 */
const trackEvent = z.object({
  resource_type: z.literal('TRACK_EVENT_V2'),
  data: z.object({
    tracking_number: z.string().check(z.trim(), z.regex(/^[\x20-\x7e]{1,100}$/)),
    status_code: z.string(),
    status_detail_code: text,
    carrier_code: text,
    carrier_status_description: text,
    estimated_delivery_date: text,
    events: z.nullish(z.array(scan)),
  }),
})

type TrackEvent = z.infer<typeof trackEvent>['data']

/** What a webhook says, or which of its fields cannot be read. Undefined where it says nothing of a parcel. */
export function readTrackingReport(
  body: unknown,
  sentAt: Date,
): TrackingReport | { invalid: string } | undefined {
  const kind = z.object({ resource_type: z.string() }).safeParse(body)
  if (kind.success && kind.data.resource_type !== 'TRACK_EVENT_V2') return undefined
  const { success, data: event, error } = trackEvent.safeParse(body)
  if (!success) return { invalid: error.issues[0]?.path.join('.') || 'body' }
  const state = stateOf(event.data)
  if (state === undefined) return undefined
  const { tracking_number, carrier_code, estimated_delivery_date } = event.data
  return {
    trackingNumber: tracking_number,
    carrier: carrier_code ?? '',
    state,
    at: new Date(Math.min(sentAt.getTime(), lastScan(event.data) ?? Infinity)).toISOString(),
    estimatedDelivery: z.iso.date().safeParse((estimated_delivery_date ?? '').slice(0, 10)).data,
  }
}

/** By `status_code`. `UN` says that the carrier knows nothing. */
const stateOfCode: Readonly<Record<string, ParcelState>> = {
  NY: 'accepted',
  AC: 'accepted',
  IT: 'in-transit',
  AT: 'attempted',
  SP: 'ready-for-pickup',
  DE: 'delivered',
  EX: 'delayed',
}

/** By `status_detail_code`, where an exception is no delay. */
const stateOfException: Readonly<Record<string, ParcelState>> = {
  CANCELLED: 'cancelled',
  CANCELLED_BEFORE_DESPATCH: 'cancelled',
  PARCEL_LOST: 'lost',
  PARCEL_DISPOSED: 'lost',
  RETURN_TO_SENDER: 'returning',
  REFUSED_BY_CUSTOMER: 'returning',
  NOT_DELIVERED: 'returning',
  NOT_DELIVERED_ADDRESSEE_DECEASED: 'returning',
  NOT_COLLECTED_FROM_PICKUP_POINT: 'returning',
  CUSTOMER_MOVED: 'returning',
  HAZARDOUS_PROHIBITED: 'returning',
  PARCEL_DAMAGED: 'returning',
  PARCEL_OUTSIDE_OF_SERVICE_CAPABILITY: 'returning',
}

function stateOf(event: TrackEvent): ParcelState | undefined {
  const code = event.status_code
  const detail = event.status_detail_code ?? ''
  const state = Object.hasOwn(stateOfCode, code) ? stateOfCode[code] : undefined
  if (state === 'delayed') {
    return Object.hasOwn(stateOfException, detail) ? stateOfException[detail] : state
  }
  return state === 'in-transit' && isOutForDelivery(event) ? 'out-for-delivery' : state
}

/** UPS has no detail code then, and says it in words. */
const isOutForDelivery = ({ status_detail_code, carrier_status_description }: TrackEvent) =>
  status_detail_code === 'OUT_FOR_DELIVERY' ||
  /\bout for delivery\b/i.test(carrier_status_description ?? '')

/**
 * When the carrier saw the parcel last, in milliseconds since 1970: of the scans that say what the whole report says, else
 * of all. They come in no order that can be relied on, and their history is sent again with each report.
 */
function lastScan({ status_code, events }: TrackEvent): number | undefined {
  const scans = (events ?? []).flatMap((event) => {
    const { success, data: at } = moment.safeParse(event.occurred_at)
    return success ? [{ at: Date.parse(at), isSame: event.status_code === status_code }] : []
  })
  const same = scans.filter(({ isSame }) => isSame)
  const moments = (same.length > 0 ? same : scans).map(({ at }) => at)
  return moments.length === 0 ? undefined : Math.max(...moments)
}
