import type { BasePayload } from 'payload'
import { partsOf } from './parts.js'

/** Resolves when what was changed so far is stored to be sent. */
export async function catchUpFeeds(payload: BasePayload): Promise<void> {
  const { feeds, reviewFeeds } = partsOf(payload)
  for (const feed of [...feeds, ...reviewFeeds.all]) await feed.catchUp()
}
