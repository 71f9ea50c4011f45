import type { TestStore } from '../../support/store.js'

/** An event, as far as it says of what. */
export interface Reported {
  name: string
  uniqueId: string
}

interface StoredOrder {
  number: string
  status: string
  items: { id: string }[]
  statusChanges: { status: string; count: number; placed?: true }[]
  shipments: { docs: { trackingNumber: string }[] }
}

interface StoredTransaction {
  cart: { number: string }
  checkoutState: string | null
}

/** What has happened, by the database alone. */
export interface Happened {
  toBeReported: Reported[]
  /**
   * Numbers of orders without lines. Without transactions Payload writes the lines anew with each
   * change, in statements of their own: a kill between them costs the lines, and nobody can say any
   * more which were reported.
   */
  torn: ReadonlySet<string>
}

/** What orders and payments have to tell, by the rules of the platform's ids. */
export async function whatHappened({ payload }: TestStore): Promise<Happened> {
  const orders = await payload.find({
    collection: 'orders',
    pagination: false,
    depth: 1,
    joins: { shipments: { limit: 0 } },
  })
  const transactions = await payload.find({
    collection: 'transactions',
    pagination: false,
    depth: 1,
    showHiddenFields: true,
  })
  const sold = orders.docs as unknown as StoredOrder[]
  const begun = transactions.docs as unknown as StoredTransaction[]
  return {
    toBeReported: [...begun.flatMap(ofTransaction), ...sold.flatMap(ofOrder)],
    torn: new Set(sold.filter(({ items }) => items.length === 0).map(({ number }) => number)),
  }
}

function ofTransaction({ cart, checkoutState }: StoredTransaction): Reported[] {
  const uniqueId = `${cart.number}:checkout:${checkoutState}`
  return checkoutState === null ? [] : [{ name: 'Started Checkout', uniqueId }]
}

function ofOrder({ number, status, items, statusChanges, shipments }: StoredOrder): Reported[] {
  const last = statusChanges.at(-1)
  if (last?.status !== status || statusChanges.filter(({ placed }) => placed).length !== 1) {
    throw new Error(`The history of order ${number} is not that of its status.`)
  }
  return [
    { name: 'Placed Order', uniqueId: number },
    ...items.map(({ id }) => ({ name: 'Ordered Product', uniqueId: `${number}:${id}` })),
    ...shipments.docs.map(({ trackingNumber }) => ({
      name: 'Shipped Order',
      uniqueId: `${number}:${trackingNumber}`,
    })),
    ...statusChanges
      .filter(({ status, placed }) => !placed && status !== 'shipped')
      .map((change) => ({ name: eventNames[change.status] ?? '', uniqueId: idOf(number, change) })),
  ]
}

const eventNames: Record<string, string> = {
  processing: 'Processing Order',
  completed: 'Completed Order',
  cancelled: 'Cancelled Order',
  refunded: 'Refunded Order',
}

/** The first cancellation and the first refund have the order's own. */
const idOf = (number: string, { status, count }: StoredOrder['statusChanges'][number]): string =>
  count === 1 && ['cancelled', 'refunded'].includes(status)
    ? number
    : `${number}:${status}:${count}`
