import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import type { EventContext } from './event-context.js'
import { eventSend } from './event-send.js'
import type { CartSnapshot } from './order-hooks.js'
import { profileOf, type Person } from './person.js'
import { subjectProperties } from './subject-properties.js'

/** A known person filled or changed a cart, or began its checkout. */
export type CartHappening = { person: Person; at: Date } & (
  | { kind: 'updated' }
  /**
   * `state` is what the cart held then, in short: reported again after a crash it is the same,
   * whatever the shopper, or a price, has changed since.
   */
  | { kind: 'started'; state: string }
)

const names = { updated: 'Updated Cart', started: 'Started Checkout' } as const
const switches = { updated: 'updatedCart', started: 'startedCheckout' } as const

/** What is sent of a cart; undefined when there is nothing to send, or nobody to send it of. */
export async function cartSend(
  happening: CartHappening & { cart: CartSnapshot },
  context: EventContext,
): Promise<NewSend | undefined> {
  const { kind, cart, person, at } = happening
  if (!context.builtInEvents[switches[kind]]) return undefined
  const profile = profileOf(person)
  if (profile === undefined) {
    context.log.info(
      { cartId: cart.id },
      'Cart not reported to the marketing platform: no valid email',
    )
    return undefined
  }
  const subject = { kind: 'cart', cart } as const
  const { whole } = await subjectProperties(subject, context)
  if (whole === undefined) return undefined
  const uniqueId =
    happening.kind === 'updated'
      ? `${cart.number}:cart:${cart.updatedAt.getTime()}`
      : `${cart.number}:checkout:${happening.state}`
  // Sent to another person, once they have put their email right, it is another send.
  const key = `cart:${uniqueId}:${hashOf(profile.email?.toLowerCase())}`
  const { total: amount, currency } = cart
  const event = { name: names[kind], key, uniqueId, at, amount, currency, properties: whole }
  return eventSend(event, { profile, subject }, context)
}
