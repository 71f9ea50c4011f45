import { madeUpTrackingNumber } from './carriers.ts'
import type { ShipCommand } from './command-line.ts'
import { pullWithProgress } from './command-pull.ts'
import type { ExportedOrder, Shipment, ShipStation } from './stand-in.ts'
import { printable } from './printable.ts'
import { isHopeless, problemText } from './problem-text.ts'
import type { Progress, Screen } from './screen.ts'

interface Parts {
  shipStation: ShipStation
  screen: Screen
}

/** Resolves to the number of shipments that failed. */
export async function shipCommand(command: ShipCommand, parts: Parts): Promise<number> {
  const { shipStation, screen } = parts
  const shipments = await shipmentsOf(command, parts)
  if (shipments.length === 0) {
    screen.line('No order has the status "processing": nothing to ship')
    return 0
  }

  let failed = 0
  const progress = screen.progress()
  try {
    for (const [at, shipment] of shipments.entries()) {
      if (!(await isShipped(shipment, { shipStation, progress }))) failed += 1
      progress.step(at + 1, shipments.length, 'shipments')
    }
  } finally {
    progress.stop()
  }
  screen.line(`${shipments.length - failed} shipped, ${failed} failed`)
  return failed
}

/** Says how it went; throws only when the next one would fail in the same way. */
async function isShipped(
  shipment: Shipment,
  { shipStation, progress }: { shipStation: ShipStation; progress: Progress },
): Promise<boolean> {
  const { orderNumber, carrier, service, trackingNumber } = shipment
  try {
    const { status } = await shipStation.ship(shipment)
    progress.line(
      printable(`${orderNumber} shipped (${status}): ${carrier} ${service} ${trackingNumber}`),
    )
    return true
  } catch (error) {
    if (isHopeless(error)) throw error
    progress.line(printable(`${orderNumber} failed: ${problemText(error)}`))
    return false
  }
}

async function shipmentsOf(command: ShipCommand, parts: Parts): Promise<Shipment[]> {
  const { orders } = command
  if ('numbers' in orders)
    return orders.numbers.map((orderNumber) => labelled(orderNumber, command))

  const pull = await pullWithProgress(orders.filter, parts)
  const processing = pull.orders.filter(({ orderStatus }) => orderStatus === 'processing')
  // ShipStation knows an order by its number: one that came twice is one.
  const byNumber = new Map(processing.map((order) => [order.orderNumber, order]))
  return [...byNumber.values()]
    .slice(0, orders.firstProcessing)
    .map((order) => ({ ...labelled(order.orderNumber, command), ...contents(order) }))
}

const labelled = (orderNumber: string, command: ShipCommand): Shipment => ({
  orderNumber,
  carrier: command.carrier,
  service: command.service,
  trackingNumber: command.trackingNumber ?? madeUpTrackingNumber(command.carrier, orderNumber),
  serviceInBodyOnly: command.serviceInBodyOnly,
})

/** What only a pulled order can tell. */
const contents = ({ orderId, customer, items }: ExportedOrder): Partial<Shipment> => ({
  orderId,
  customerCode: customer.customerCode,
  recipient: customer.shipTo,
  items: items.filter(({ adjustment }) => !adjustment),
})
