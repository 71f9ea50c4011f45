import { readOrders, type ExportedOrder } from './exported-orders.js'
import { shipNotice, type Shipment } from './ship-notice.js'
import { ShipStationError } from './shipstation-error.js'
import { minuteText } from './utc-text.js'

export interface ShipStationOptions {
  /** The shop's Custom Store endpoint. */
  url: string
  username: string
  password: string
  /** Calls the shop. Default: the global `fetch`. A test hands over the shop's handler. */
  fetch?: (request: Request) => Promise<Response>
  /** The clock behind the dates of a shipment. Default: the real one. */
  now?: () => Date
  /** How long one call may take, in seconds. Default: 30. */
  deadlineSeconds?: number
}

export interface PullRequest {
  /** Start and end of the window. A date is sent in UTC, to the minute; a text is sent as it is. */
  from: Date | string
  to: Date | string
  /** Left out: every store's orders. */
  store?: string
  onPage?: (page: PulledPage) => void
}

export interface PulledPage {
  /** From 1. */
  page: number
  /** How many there are in all, as this page says; 0 when no order matches. */
  pages: number
  orders: ExportedOrder[]
}

export interface Pull {
  /** The orders of all pages, in the shop's order, none left out: one may come twice. */
  orders: ExportedOrder[]
  /** As the last page says; 0 when no order matches. */
  pages: number
  /** Every page that was asked for: at least the first. */
  documents: PulledPage[]
}

export type ShipStation = ReturnType<typeof createShipStation>

/**
 * A stand-in for ShipStation: asks a shop for its orders and tells it of shipments as its
 * Custom Store does.
 */
export function createShipStation(options: ShipStationOptions) {
  const { url, username, password, fetch = globalThis.fetch, now = () => new Date() } = options
  const { deadlineSeconds = 30 } = options
  // RFC 7617, with the user's text in UTF-8.
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  /** Resolves to the text of an answer that is a success. */
  async function call(parameters: Record<string, string>, body?: string): Promise<string> {
    const address = `${url}?${new URLSearchParams(parameters).toString()}`
    const request = new Request(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/xml' }) },
      body: body ?? null,
      // A followed redirect would turn the POST into a GET, and take the credentials elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineSeconds * 1000),
    })
    const response = await fetch(request).catch((cause: unknown) => {
      throw new ShipStationError(`No answer from ${url}. Is the store running?`, { cause })
    })
    const { ok, status } = response
    const text = await response.text()
    if (ok) return text
    // The title of the shop's pages for people begins with the status as well.
    const said = /<title>([^<]*)/.exec(text)?.[1] ?? `${status}: ${text.slice(0, 200)}`
    throw new ShipStationError(`The shop answered ${said}`, { status })
  }

  return {
    async pull({ from, to, store, onPage }: PullRequest): Promise<Pull> {
      // Read once: every page is asked for with the same window.
      const filter = {
        start_date: typeof from === 'string' ? from : minuteText(from),
        end_date: typeof to === 'string' ? to : minuteText(to),
      }
      const documents: PulledPage[] = []
      let pages = 1
      for (let page = 1; page <= pages; page += 1) {
        const parameters = { action: 'export', ...filter, page: String(page) }
        const xml = await call(store === undefined ? parameters : { ...parameters, store })
        const pulled = { page, ...ordersIn(xml) }
        documents.push(pulled)
        pages = pulled.pages
        onPage?.(pulled)
      }
      return { orders: documents.flatMap(({ orders }) => orders), pages, documents }
    },

    /** @returns what the shop says. */
    ship(shipment: Shipment): Promise<string> {
      const { orderNumber, carrier, service, trackingNumber } = shipment
      const parameters = {
        action: 'shipnotify',
        order_number: orderNumber,
        carrier,
        service,
        tracking_number: trackingNumber,
      }
      return call(parameters, shipNotice(shipment, now()))
    },
  }
}

function ordersIn(xml: string) {
  try {
    return readOrders(xml)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ShipStationError(`The export cannot be read: ${reason}`, { cause, status: 200 })
  }
}
