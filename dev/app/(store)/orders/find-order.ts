import config from '@payload-config'
import { getPayload } from 'payload'
import type { Order } from '../../../payload-types.ts'
import { readVisitor } from '../../../storeconnect.ts'

/**
 * The order of that number, for who may see it: a customer's own; a guest's for whoever has the
 * number, as nobody can guess it.
 */
export async function findOrder(number: string): Promise<Order | undefined> {
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'orders',
    depth: 0,
    joins: false,
    limit: 1,
    pagination: false,
    where: { number: { equals: number } },
  })
  const [order] = docs
  const customerId = order && customerIdOf(order)
  if (customerId === undefined || (await readVisitor())?.id === customerId) return order
  return undefined
}

/** The account that the order belongs to; undefined for a guest's. */
export function customerIdOf({ customer }: Order): number | undefined {
  return typeof customer === 'object' ? customer?.id : customer
}
