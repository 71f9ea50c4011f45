import type { NewSend } from '../delivery/outbox.js'
import { cartState } from './cart-state.js'
import { composedSend } from './composed-send.js'
import type { EventContext } from './event-context.js'
import type { Person, TakenCart } from './happening.js'
import { majorUnits } from './major-units.js'
import { profileOf } from './person.js'
import { toldLines } from './told-lines.js'
import { wholeProperties } from './whole-properties.js'

/** A cart that a known person filled or changed, or whose checkout they began. */
export interface CartHappening {
  kind: 'updated' | 'started'
  cart: TakenCart
  person: Person
  at: Date
}

const names = { updated: 'Updated Cart', started: 'Started Checkout' } as const
const switches = { updated: 'updatedCart', started: 'startedCheckout' } as const

/** What the platform is told of a cart; undefined when there is nothing to tell, or nobody. */
export async function cartSend(
  { kind, cart, person, at }: CartHappening,
  context: EventContext,
): Promise<NewSend | undefined> {
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
    kind === 'updated'
      ? `${cart.number}:cart:${cart.updatedAt.getTime()}`
      : `${cart.number}:checkout:${cartState(cart)}`
  const { total, currency } = cart
  return composedSend(
    { name: names[kind], uniqueId, at, value: majorUnits(total, currency), currency, properties },
    { profile, subject },
    context,
  )
}
