import { createHash, randomUUID } from 'node:crypto'
import type { Message } from './message.js'
import { profileKey } from './profile.js'

/** What tells the outbox which sends are the same. */
export interface SendKey {
  key: string
  previousKey?: string
  foldSince?: Date
}

/** Hours in which a subscription again is a repeat: a double opt-in list would mail once more. */
const confirmationFoldHours = 24

const minute = 60_000

/**
 * The key under which a repeat of the same message within `foldMinutes` is the same send; with 0
 * each one is a send of its own. Time is cut into windows as long as the fold, so a repeat falls
 * into the same window or the next one.
 */
export function foldingKey(
  message: Message | EventWithoutId,
  { now, foldMinutes }: { now: Date; foldMinutes: number },
): SendKey {
  if (foldMinutes === 0) return { key: uniqueKey(message.kind) }
  const isSubscription = message.kind === 'subscribe'
  const fold = isSubscription ? Math.max(confirmationFoldHours * 60, foldMinutes) : foldMinutes
  const window = Math.floor(now.getTime() / (fold * minute))
  const name = `${message.kind}:${hashOf(isSubscription ? sameSubscription(message) : message)}`
  return {
    key: `${name}:${window}`,
    previousKey: `${name}:${window - 1}`,
    foldSince: new Date(now.getTime() - fold * minute),
  }
}

/** A key that no other send has. */
export const uniqueKey = (kind: Message['kind']): string => `${kind}:${randomUUID()}`

/** A key of the same message that is no repeat. It begins with the other key. */
export const anotherKey = (key: string): string => `${key}:${randomUUID()}`

/** Whether two keys are of the same message in the same window. */
export const isKeyOf = (key: string, other: string): boolean =>
  other === key || other.startsWith(`${key}:`)

/** SHA-256 as 43 characters. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

interface EventWithoutId {
  kind: 'event'
  profile: object
  event: object
}

function sameSubscription(message: Message & { kind: 'subscribe' }) {
  const { list, channels, profile } = message
  return { profile: profileKey(profile), phoneNumber: profile.phoneNumber, list, channels }
}
