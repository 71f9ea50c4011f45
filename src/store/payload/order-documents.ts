import { createLocalReq, type BasePayload } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { OrderDocument } from '../../options/options.js'
import type { OrderReader } from '../order-reader.js'

/** Reads orders through Payload and the store's own `mapOrder`. */
export function createMappedReader(
  payload: BasePayload,
  { collections, shipping }: ResolvedOptions,
  mapOrder: NonNullable<ResolvedOptions['shipping']['mapOrder']>,
): OrderReader {
  return {
    async read(ids) {
      const req = await createLocalReq({}, payload as Parameters<typeof createLocalReq>[1])
      const { docs } = await payload.find({
        collection: collections.orders,
        where: { id: { in: [...ids] } },
        depth: shipping.mapOrderDepth,
        pagination: false,
        req,
      })
      const byId = new Map(docs.map((document) => [document.id, document]))
      const found = ids.flatMap((id) => byId.get(id) ?? [])
      return Promise.all(found.map((document) => mapOrder(document as OrderDocument, { req })))
    },
  }
}
