import type { Payload } from 'payload'
import { abandonedCartUrl } from 'payload-storeconnect'
import { abandonedCartNumbers } from './abandoned-cart-numbers.ts'

/** The link that a mail about an abandoned cart would have; undefined for a cart that is bought meanwhile. */
export interface AbandonedCartLinks {
  /** Anybody gets it back. */
  guest: string | undefined
  /** Only who logs in to the account gets it back. */
  customer: string | undefined
}

/** The links to try. */
export async function abandonedCartLinks(payload: Payload): Promise<AbandonedCartLinks> {
  const link = async (number: string): Promise<string | undefined> => {
    const { docs } = await payload.find({
      collection: 'carts',
      depth: 0,
      limit: 1,
      pagination: false,
      where: { and: [{ number: { equals: number } }, { purchasedAt: { exists: false } }] },
    })
    return docs[0] && abandonedCartUrl({ payload, cart: docs[0] })
  }
  const [guest, customer] = await Promise.all([
    link(abandonedCartNumbers.guest),
    link(abandonedCartNumbers.customer),
  ])
  return { guest, customer }
}
