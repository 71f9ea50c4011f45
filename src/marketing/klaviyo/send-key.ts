import { hashOf } from '../../core/signing.js'
import type { Effects } from '../../core/effects.js'
import type { BackInStockMessage, Message } from './message.js'
import { profileKey } from '../../core/people/profile-key.js'

/** The key by which the outbox recognises repeats. */
export interface SendKey {
  key: string
  previousKey?: string
  dedupeSince?: Date
}

/** How long the same subscription is a repeat: a list with double opt-in would send a second email. */
const confirmationDedupeHours = 24

const minute = 60_000

/**
 * The same message within `dedupeMinutes` is a repeat; with 0 none is. A repeat falls into the same window of time or
 * the next one.
 */
export function dedupeKey(
  message: Message | EventWithoutId,
  { now, dedupeMinutes, effects }: { now: Date; dedupeMinutes: number; effects: Uuids },
): SendKey {
  if (dedupeMinutes === 0) return { key: uniqueKey(message.kind, effects) }
  const isSubscription = message.kind === 'subscribe'
  const dedupeLength = isSubscription
    ? Math.max(confirmationDedupeHours * 60, dedupeMinutes)
    : dedupeMinutes
  const window = Math.floor(now.getTime() / (dedupeLength * minute))
  const name = `${message.kind}:${hashOf(isSubscription ? sameSubscription(message) : message)}`
  return {
    key: `${name}:${window}`,
    previousKey: `${name}:${window - 1}`,
    dedupeSince: new Date(now.getTime() - dedupeLength * minute),
  }
}

/** One for each person, variant and way to reach them, until it is in stock again (`endWaiting` of the outbox). */
export const backInStockKey = ({ kind, profile, variant, channels }: BackInStockMessage): string =>
  `${kind}:${hashOf({ profile: profileKey(profile), phoneNumber: profile.phoneNumber, variant, channels })}`

/** A key that no other send has. */
export const uniqueKey = (kind: Message['kind'], { uuid }: Uuids): string => `${kind}:${uuid()}`

/** A key for the same message when it is not a repeat. It begins with the original key. */
export const anotherKey = (key: string, { uuid }: Uuids): string => `${key}:${uuid()}`

/** Whether the second key belongs to the same message and window as the first. */
export const isKeyOf = (key: string, other: string): boolean =>
  other === key || other.startsWith(`${key}:`)

type Uuids = Pick<Effects, 'uuid'>

interface EventWithoutId {
  kind: 'event'
  profile: object
  event: object
}

function sameSubscription(message: Message & { kind: 'subscribe' }) {
  const { list, channels, profile } = message
  return { profile: profileKey(profile), phoneNumber: profile.phoneNumber, list, channels }
}
