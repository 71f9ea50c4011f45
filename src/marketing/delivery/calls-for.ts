import { keyFeatures } from '../klaviyo/key-scopes.js'
import type { CallName } from '../klaviyo/limits.js'
import type { SendKind } from './send.js'

/** The call that takes a single item, and the call that takes many. Every kind has one of them at least. */
export function callsFor(kind: SendKind): { single?: CallName; many?: CallName } {
  switch (kind) {
    case 'event':
      return { single: 'event', many: 'events' }
    case 'past-event':
      return { many: 'events' }
    case 'identify':
      return { single: 'profile' }
    case 'list-add':
      return { many: 'list-members' }
    case 'subscribe':
    case 'consent':
      return { many: 'subscribe' }
    case 'erase':
      return { single: 'delete-profile' }
    case 'unsubscribe':
      return { many: 'unsubscribe' }
    case 'back-in-stock':
      return { single: 'back-in-stock' }
  }
}

/** What Klaviyo may be asked before such a call. */
export function lookUpsFor(kind: SendKind): CallName[] {
  if (kind === 'list-add') return ['find-profiles']
  return kind === 'subscribe' || kind === 'consent' ? ['find-profiles', 'find-subscribed'] : []
}

/** What a send needs beside its own call. Who asks for a product waits for the catalog to have it. */
export const neededBeside = (kind: SendKind): readonly CallName[] =>
  kind === 'back-in-stock' ? keyFeatures.catalog.calls : lookUpsFor(kind)

/** Whether a kind of send needs one of these calls. */
export function needsCall(kind: SendKind, calls: readonly CallName[]): boolean {
  const { single, many } = callsFor(kind)
  return [single, many, ...neededBeside(kind)].some((call) => call && calls.includes(call))
}
