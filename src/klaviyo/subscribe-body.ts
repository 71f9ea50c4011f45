import type { Channel, SubscribeMessage } from '../marketing/message.js'
import { placesOf } from './places.js'

/** A profile to subscribe, and the messages that it stands for. */
export interface SubscribeEntry {
  email?: string
  phoneNumber?: string
  channels: Channel[]
  indexes: number[]
}

/** Repeated ones are one: each could send the same person another confirmation. */
export function subscribeEntries(messages: readonly SubscribeMessage[]): SubscribeEntry[] {
  const entries = messages.map((message, index) => ({ ...message, index }))
  const places = placesOf(entries, ({ profile: { email, phoneNumber } }) =>
    JSON.stringify([email?.toLowerCase() ?? null, phoneNumber ?? null]),
  )
  return places.map(({ items }) => {
    const { email, phoneNumber } = items[0]?.profile ?? {}
    return {
      ...(email !== undefined && { email }),
      ...(phoneNumber !== undefined && { phoneNumber }),
      channels: [...new Set(items.flatMap(({ channels }) => channels))],
      indexes: items.map(({ index }) => index),
    }
  })
}

const subscribed = { marketing: { consent: 'SUBSCRIBED' } }

/**
 * Body of `POST /api/profile-subscription-bulk-create-jobs`. An identifier without its channel says
 * whose consent it is and is not subscribed.
 */
export const subscribeBody = (entries: readonly SubscribeEntry[], list: string) => ({
  data: {
    type: 'profile-subscription-bulk-create-job',
    attributes: {
      profiles: {
        data: entries.map(({ email, phoneNumber, channels }) => ({
          type: 'profile',
          attributes: {
            ...(email !== undefined && { email }),
            ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
            subscriptions: Object.fromEntries(channels.map((channel) => [channel, subscribed])),
          },
        })),
      },
    },
    relationships: { list: { data: { type: 'list', id: list } } },
  },
})
