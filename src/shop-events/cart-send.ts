import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import { composedSend } from './composed-send.js'
import type { EventContext } from './event-context.js'
import type { Person, TakenCart } from './happening.js'
import { majorUnits } from './major-units.js'
import { profileOf } from './person.js'
import { toldLines } from './told-lines.js'
import { wholeProperties } from './whole-properties.js'

/** A known person filled or changed a cart, or began its checkout. */
export type CartHappening = { cart: TakenCart } & CartFact

export type CartFact = {
  person: Person
  at: Date
} & (
  | { kind: 'updated' }
  /**
   * `state` is what the cart held then, in short: told again after a crash it is the same, whatever
   * the shopper, or a price, has changed since.
   */
  | { kind: 'started'; state: string }
)

const names = { updated: 'Updated Cart', started: 'Started Checkout' } as const
const switches = { updated: 'updatedCart', started: 'startedCheckout' } as const

/** What the platform is told of a cart; undefined when there is nothing to tell, or nobody. */
export async function cartSend(
  happening: CartHappening,
  context: EventContext,
): Promise<NewSend | undefined> {
  const { kind, cart, person, at } = happening
  if (!context.builtInEvents[switches[kind]]) return undefined
  const profile = profileOf(person)
  if (profile === undefined) {
    context.log.info({ cartId: cart.id }, 'Cart not told to the marketing platform: no valid email')
    return undefined
  }
  const subject = { kind: 'cart', cart } as const
  const properties = await wholeProperties(subject, await toldLines(subject, context), context)
  if (properties === undefined) return undefined
  const uniqueId =
    happening.kind === 'updated'
      ? `${cart.number}:cart:${cart.updatedAt.getTime()}`
      : `${cart.number}:checkout:${happening.state}`
  // Told to another person, once they have put their email right, it is another send.
  const key = `cart:${uniqueId}:${hashOf(profile.email?.toLowerCase())}`
  const { total, currency } = cart
  return composedSend(
    {
      name: names[kind],
      key,
      uniqueId,
      at,
      value: majorUnits(total, currency),
      currency,
      properties,
    },
    { profile, subject },
    context,
  )
}
