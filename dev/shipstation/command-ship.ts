import { madeUpTrackingNumber } from '../../src/mounts/cli/shipstation/carriers.js'
import type { ShipCommand } from './command-line.ts'
import { pullOrders, type CommandParts } from './command-pull.ts'
import type { ExportedOrder } from '../../src/mounts/cli/shipstation/exported-orders.js'
import { printable } from '../../src/mounts/cli/shipstation/printable.js'
import type { Shipment } from '../../src/mounts/cli/shipstation/ship-notice.js'
import { ShipStationError } from '../../src/mounts/cli/shipstation/shipstation-error.js'

/** Resolves to the number of shipments that failed. */
export async function shipCommand(command: ShipCommand, parts: CommandParts): Promise<number> {
  const shipments = await shipmentsOf(command, parts)
  if (shipments.length === 0) {
    parts.say('No order has the status "processing": nothing to ship')
    return 0
  }
  let failed = 0
  for (const shipment of shipments) {
    if (!(await isShipped(shipment, parts))) failed += 1
  }
  parts.say(`${shipments.length - failed} shipped, ${failed} failed`)
  return failed
}

/** Says how it went; throws only when the next one would fail in the same way. */
async function isShipped(shipment: Shipment, { shipStation, say }: CommandParts): Promise<boolean> {
  const { orderNumber, carrier, service, trackingNumber } = shipment
  try {
    await shipStation.ship(shipment)
    say(printable(`${orderNumber} shipped: ${carrier} ${service} ${trackingNumber}`))
    return true
  } catch (error) {
    const isOfThisOne =
      error instanceof ShipStationError && error.status !== undefined && error.status !== 401
    if (!isOfThisOne) throw error
    say(printable(`${orderNumber} failed: ${error.message}`))
    return false
  }
}

async function shipmentsOf(command: ShipCommand, parts: CommandParts): Promise<Shipment[]> {
  const { orders } = command
  if ('numbers' in orders) {
    return orders.numbers.map((orderNumber) => labelled(orderNumber, command))
  }
  const pull = await pullOrders(orders.filter, parts)
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
})

/** What only a pulled order can tell. */
const contents = ({ orderId, customerCode, recipient, items }: ExportedOrder) => ({
  orderId,
  customerCode,
  recipient,
  items: items.filter(({ isAdjustment }) => !isAdjustment),
})
