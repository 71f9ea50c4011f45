import type { Payload } from 'payload'
import { checkoutUrl } from 'payload-storeconnect'
import { leftCartNumbers } from './left-cart-numbers.ts'

/** What a mail about a left cart would link to; undefined for a cart that is bought meanwhile. */
export interface LeftCartLinks {
  /** Anybody gets it back. */
  guest: string | undefined
  /** Only who logs in to the account gets it back. */
  customer: string | undefined
}

/** The links to try. */
export async function leftCartLinks(payload: Payload): Promise<LeftCartLinks> {
  const link = async (number: string): Promise<string | undefined> => {
    const { docs } = await payload.find({
      collection: 'carts',
      depth: 0,
      limit: 1,
      pagination: false,
      where: { and: [{ number: { equals: number } }, { purchasedAt: { exists: false } }] },
    })
    return docs[0] && checkoutUrl(payload, docs[0])
  }
  const [guest, customer] = await Promise.all([
    link(leftCartNumbers.guest),
    link(leftCartNumbers.customer),
  ])
  return { guest, customer }
}
