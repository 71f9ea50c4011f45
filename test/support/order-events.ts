import type { BasePayload } from 'payload'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import { catchUpFeeds } from './catch-up-feeds.js'

/** The events about an order that are stored to be sent, without those of its cart and of its lines. */
export async function orderEvents(
  payload: BasePayload,
  { number }: { number: string },
): Promise<string[]> {
  await catchUpFeeds(payload)
  const { docs } = await payload.find({ collection: 'marketing-sends', sort: 'id', limit: 0 })
  return docs
    .map((send) => (send as unknown as { message: Message }).message)
    .flatMap((message) =>
      message.kind === 'event' &&
      message.event.uniqueId.startsWith(number) &&
      message.event.name.endsWith(' Order')
        ? [message.event.name]
        : [],
    )
}
