import type { BasePayload } from 'payload'
import { partsOf } from './parts.js'

/** Resolves when what was changed so far is stored to be sent. */
export async function catchUpFeeds(payload: BasePayload): Promise<void> {
  for (const feed of partsOf(payload).feeds) await feed.catchUp()
}
