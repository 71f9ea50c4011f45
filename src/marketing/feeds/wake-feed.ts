import type { BasePayload, CollectionAfterChangeHook } from 'payload'
import type { Feed } from './feed.js'

export const wakeFeed =
  (feedsOf: (payload: BasePayload) => Promise<Pick<Feed, 'wake'>>): CollectionAfterChangeHook =>
  async ({ doc, req }) => {
    const feeds = await feedsOf(req.payload)
    feeds.wake()
    return doc as unknown
  }
