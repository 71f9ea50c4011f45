import { madeUpTrackingNumber } from './shipstation/carriers.js'
import type { ExportedOrder } from './shipstation/exported-orders.js'
import { counted, ordersTable, statusCounts } from './shipstation/orders-table.js'
import { printable } from './shipstation/printable.js'
import { ShipStationError } from './shipstation/shipstation-error.js'
import type { ShipStation } from './shipstation/stand-in.js'
import type { Terminal } from './terminal.js'

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1000
/** The clock of the shop may be ahead. */
const aheadMs = 5 * 60 * 1000
const rowsShown = 20
const carrier = 'UPS'
const service = 'UPS Ground'

interface ShippingPlay {
  shipStation: ShipStation
  /** The status that a shipped order gets. */
  shippedStatus: string
  terminal: Pick<Terminal, 'say' | 'ask'>
  now: () => Date
}

/** Plays ShipStation in the terminal. What the shop refuses is said; the play goes on. */
export function createShippingPlay({ shipStation, shippedStatus, terminal, now }: ShippingPlay) {
  let orders: readonly ExportedOrder[] = []

  /** Resolves to whether the shop has answered as it should. */
  async function said(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ShipStationError)) throw error
      terminal.say(printable(error.message))
      if (error.status === 401) terminal.say(refusedHint)
      return false
    }
  }

  const ship = ({ orderNumber, orderId, customerCode, recipient, items }: ExportedOrder) =>
    said(async () => {
      const trackingNumber = madeUpTrackingNumber(carrier, orderNumber)
      const label = { carrier, service, trackingNumber }
      const things = items.filter(({ isAdjustment }) => !isAdjustment)
      const parcel = { orderNumber, orderId, customerCode, recipient, items: things }
      await shipStation.ship({ ...parcel, ...label })
      terminal.say(
        printable(
          `${orderNumber} is shipped by ${carrier}, ${trackingNumber}: see it in the admin.`,
        ),
      )
    })

  return {
    /** Pulls the orders of the last 30 days, and shows them. */
    pull: () =>
      said(async () => {
        const [from, to] = [-thirtyDaysMs, aheadMs].map((ms) =>
          new Date(now().getTime() + ms).toISOString(),
        ) as [string, string]
        const pulled = await shipStation.pull({ from, to })
        orders = pulled.orders
        terminal.say('ShipStation: the connection works. Orders of the last 30 days:')
        if (orders.length === 0) terminal.say(noOrders)
        else for (const line of ordersTable(orders, rowsShown)) terminal.say(line)
        if (orders.length > 0) {
          terminal.say(`${counted(orders.length, 'order')}: ${statusCounts(orders)}`)
        }
      }),

    /** Ships the order with this number, or else the one that the person names. */
    async ship(this: void, number?: string): Promise<boolean> {
      if (number === undefined && orders.length === 0) {
        terminal.say(noOrders)
        return true
      }
      if (number === undefined) terminal.say(changesOrder(shippedStatus))
      const wanted =
        number ?? (await terminal.ask('The number of the order to ship, or Enter for none: '))
      const name = wanted?.trim() ?? ''
      if (name === '') return true
      const order = orders.find(({ orderNumber }) => orderNumber === name)
      if (order !== undefined) return ship(order)
      terminal.say(printable(`ShipStation has got no order ${name}.`))
      return false
    },
  }
}

const noOrders =
  'None. Buy something in the shop, then pull again. Storeconnect → Skipped orders says which orders are left out, and why.'

const changesOrder = (status: string): string =>
  `A shipment changes the order for good: its status becomes "${printable(status)}", it gets a tracking number, and the shop may tell the customer.`

const refusedHint =
  'If the shop runs by next start, pass --production. Else look whether it uses the database and the environment that this command has.'
