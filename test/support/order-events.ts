import type { BasePayload } from 'payload'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import { catchUpFeeds } from './catch-up-feeds.js'

type Reported = Extract<Message, { kind: 'event' }>['event']

/** What is stored to be sent about an order, without the events of its cart and of its lines. */
export async function reportedOf(
  payload: BasePayload,
  { number }: { number: string },
): Promise<Reported[]> {
  await catchUpFeeds(payload)
  const { docs } = await payload.find({ collection: 'marketing-sends', sort: 'id', limit: 0 })
  return docs
    .map((send) => (send as unknown as { message: Message }).message)
    .flatMap((message) =>
      message.kind === 'event' &&
      message.event.uniqueId.startsWith(number) &&
      message.event.name.endsWith(' Order')
        ? [message.event]
        : [],
    )
}

/** The names of these events. */
export const orderEvents = async (
  payload: BasePayload,
  order: { number: string },
): Promise<string[]> => (await reportedOf(payload, order)).map(({ name }) => name)
