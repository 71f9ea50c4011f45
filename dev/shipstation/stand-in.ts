import { minuteText } from './date-text.ts'
import { exportText } from './export-text.ts'
import type { ExportedOrder } from './exported-order.ts'
import { parseOrderPage } from './order-page.ts'
import { noticeBody, type Shipment } from './shipment.ts'
import { createShopCaller, type ShopFetch } from './shop-call.ts'

export type { ExportedItem, ExportedOrder } from './exported-order.ts'
export { ShipStationError, type ShipStationErrorCode } from './shipstation-error.ts'
export type { Recipient, ShippedItem } from './ship-notice-xml.ts'
export type { Shipment } from './shipment.ts'
export type { ShopFetch } from './shop-call.ts'

export interface ShipStationOptions {
  /** The shop's Custom Store endpoint. */
  url: string
  username: string
  password: string
  /** Calls the shop. Default: the global `fetch`. A test hands over the shop's handler. */
  fetch?: ShopFetch
  /** The clock behind the dates of a shipment. Default: the real one. */
  now?: () => Date
  /** How long one call may take, answer included, in seconds. Default: 30. */
  deadlineSeconds?: number
}

export interface PullRequest {
  /** Start and end of the window. A date is sent in UTC, to the minute; a text is sent as it is. */
  from: Date | string
  to: Date | string
  /** Left out: every store's orders. */
  store?: string
  /** Called after each page, and waited for. */
  onPage?: (page: PulledPage) => unknown
}

export interface PulledPage {
  /** 1-based. */
  page: number
  /** How many there are in all, as this page says; 0 when no order matches. */
  pages: number
  orders: ExportedOrder[]
  /** The shop's answer as it came. */
  xml: string
}

export interface Pull {
  /** The orders of all pages, in the shop's order, none left out: one may come twice. */
  orders: ExportedOrder[]
  /** As the last page says; 0 when no order matches. */
  pages: number
  /** Every page that was asked for: at least the first. */
  documents: PulledPage[]
}

export interface ShipmentAnswer {
  /** Any of 2xx counts as success. */
  status: number
  answer: string
}

export interface ShipStation {
  pull(request: PullRequest): Promise<Pull>
  ship(shipment: Shipment): Promise<ShipmentAnswer>
}

/**
 * A stand-in for ShipStation: asks a shop for its orders and tells it of shipments as its
 * Custom Store does.
 *
 * @example
 * const shipStation = createShipStation({ url, username, password, fetch: handler })
 * const { orders } = await shipStation.pull({ from: new Date('2026-03-01'), to: new Date() })
 */
export function createShipStation(options: ShipStationOptions): ShipStation {
  const { username, password, fetch = globalThis.fetch, deadlineSeconds = 30 } = options
  const { now = () => new Date() } = options
  const endpoint = shopEndpoint(options.url)
  if (username.includes(':'))
    throw new TypeError('A username for Basic authentication has no colon')
  const call = createShopCaller({ fetch, username, password, deadlineSeconds })

  const address = (parameters: Record<string, string>): URL => {
    const url = new URL(endpoint)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
    return url
  }

  return {
    async pull({ from, to, store, onPage }) {
      // Read once: every page is asked for with the same window.
      const filter = {
        start_date: typeof from === 'string' ? from : minuteText(from),
        end_date: typeof to === 'string' ? to : minuteText(to),
      }
      const documents: PulledPage[] = []
      let pages = 1
      for (let page = 1; page <= pages; page += 1) {
        const url = address({ action: 'export', ...filter, page: String(page) })
        if (store !== undefined) url.searchParams.append('store', store)
        const answer = await call({ method: 'GET', url })
        const xml = exportText(answer)
        const pulled = { page, ...parseOrderPage({ status: answer.status, xml }), xml }
        documents.push(pulled)
        pages = pulled.pages
        await onPage?.(pulled)
      }
      return { orders: documents.flatMap(({ orders }) => orders), pages, documents }
    },

    async ship(shipment) {
      const url = address({
        action: 'shipnotify',
        order_number: shipment.orderNumber,
        carrier: shipment.carrier,
        service: shipment.serviceInBodyOnly ? '' : shipment.service,
        tracking_number: shipment.trackingNumber,
      })
      const body = noticeBody(shipment, now())
      const { status, bytes } = await call({
        method: 'POST',
        url,
        contentType: 'application/xml',
        body,
      })
      return { status, answer: new TextDecoder().decode(bytes) }
    },
  }
}

function shopEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url
  throw new TypeError('The url must be an absolute http or https address without credentials in it')
}
