import type { DocumentId, Order } from '../../commerce/order.js'
import type { Omission } from '../../store/omission-record.js'
import type { OrderReader } from '../../store/order-reader.js'

/** Why orders of these ids are not among those that were read: they are being saved. */
export async function unfinishedOrders(
  reader: OrderReader,
  { ids, orders }: { ids: readonly DocumentId[]; orders: readonly Order[] },
): Promise<Omission[]> {
  const read = new Set(orders.map(({ id }) => id))
  const saving = await reader.beingSaved(ids.filter((id) => !read.has(id)))
  return saving.map(({ orderId, reference, since, isCutOff }) => ({
    orderId,
    reference,
    reasons: [isCutOff ? cutOff : inProgress],
    isFailure: isCutOff,
    changedAt: since,
  }))
}

const inProgress = 'It is being saved. The next export has it.'
const cutOff = 'Its last save was cut off. Open it, check its items and save it again.'
