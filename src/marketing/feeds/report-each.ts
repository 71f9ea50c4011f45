import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import type { NewSend } from '../delivery/send.js'
import { noteStates, type Report } from './feed.js'
import { guarded, type About } from './store-code.js'

/** What a document gives; without a state, nothing is noted in it. */
export interface Made {
  sends: readonly NewSend[]
  /** The account that the sends are about. */
  account?: DocumentId | undefined
  state?: string
}

/** For a document that is not to be sent as it is now. */
export const nothing: Made = { sends: [] }

/** A document for which the store's own code fails holds up no other, and is tried again for a day. */
export async function reportEach<Item extends { id: DocumentId }>(
  shop: Shop,
  items: readonly Item[],
  {
    make,
    about,
    sentence,
    noteIn,
    hasFailed = false,
  }: {
    make: (item: Item) => Promise<Made>
    /** Names the document in the log. */
    about: (item: Item) => About
    sentence: string
    noteIn?: { slug: string; field: string }
    /** Whether a document failed before. Default `false`. */
    hasFailed?: boolean
  },
): Promise<Report> {
  const sends: NewSend[] = []
  const states = new Map<DocumentId, string>()
  for (const item of items) {
    const made = await guarded(shop, () => make(item), { about: about(item), sentence })
    if (made === undefined) hasFailed = true
    else {
      const { account } = made
      sends.push(...made.sends.map((send) => ({ account, ...send })))
      if (made.state !== undefined) states.set(item.id, made.state)
    }
  }
  return {
    sends,
    hasFailed,
    ...(noteIn && { note: () => noteStates(shop.database, noteIn, states) }),
  }
}
