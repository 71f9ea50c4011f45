import { createLocalReq, type BasePayload, type PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../commerce/order.js'
import type { OrderDocument } from '../../options/options.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'

/** The store's own `mapOrder` threw at an order; the cause says what. */
export class UnmappedOrder extends Error {
  override readonly name = 'UnmappedOrder'

  constructor(orderId: DocumentId, cause: unknown) {
    super(`mapOrder() failed at the order ${orderId}.`, { cause })
  }
}

/** Reads orders through Payload and the store's own `mapOrder`. */
export function createMappedReader(
  payload: BasePayload,
  { collections, shipping }: ResolvedOptions,
  mapOrder: NonNullable<ResolvedOptions['shipping']['mapOrder']>,
) {
  const mapped = async (document: OrderDocument, req: PayloadRequest): Promise<Order> => {
    try {
      return await mapOrder({ ...document }, { req })
    } catch (error) {
      throw new UnmappedOrder(document.id, error)
    }
  }

  return {
    /** @throws {UnmappedOrder} */
    async read(ids: readonly DocumentId[], within?: PayloadRequest): Promise<Order[]> {
      const req = within ?? (await createLocalReq({}, payload))
      const { docs } = await payload.find({
        collection: collections.orders,
        where: { id: { in: [...ids] } },
        depth: shipping.mapOrderDepth,
        pagination: false,
        req,
      })
      const byId = new Map(docs.map((document) => [document.id, document]))
      const orders: Order[] = []
      for (const id of ids) {
        const document = byId.get(id)
        if (document) orders.push(await mapped(document, req))
      }
      return orders
    },
  }
}
