import { createLocalReq, type BasePayload, type PayloadRequest } from 'payload'
import type { DocumentId, Order } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'

/** Reads orders through Payload and the store's own `mapOrder`. */
export function createMappedReader(
  payload: BasePayload,
  { collections, shipping }: ResolvedOptions,
  mapOrder: NonNullable<ResolvedOptions['shipping']['mapOrder']>,
) {
  return {
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
        if (document) orders.push(await mapOrder({ ...document }, { req }))
      }
      return orders
    },
  }
}
