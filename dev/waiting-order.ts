import type { Payload } from 'payload'

/** The reference of an order that could be shipped next; undefined when there is none. */
export async function waitingOrderReference(payload: Payload): Promise<string | undefined> {
  const { docs } = await payload.find({
    collection: 'orders',
    depth: 0,
    limit: 1,
    pagination: false,
    select: { reference: true },
    sort: 'createdAt',
    where: {
      and: [
        { status: { equals: 'processing' } },
        { reference: { exists: true } },
        { 'shippingAddress.country': { equals: 'US' } },
      ],
    },
  })
  return docs[0]?.reference ?? undefined
}
