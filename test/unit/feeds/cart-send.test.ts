import { describe, expect, it } from 'vitest'
import { cartSend } from '../../../src/events/event-sends.js'
import type { EventContext } from '../../../src/events/event-context.js'
import type { CartSnapshot } from '../../../src/events/event-options.js'
import { type Person } from '../../../src/events/person.js'
import { aCart, aContext, happenedAt, number, onlyWithout } from './events.js'

const person = { email: 'ada@example.com', firstName: 'Ada' }

const update = (
  changes: { cart?: CartSnapshot; person?: Person } = {},
  context: Partial<EventContext> = {},
) =>
  cartSend(
    { kind: 'updated', cart: aCart(), person, at: happenedAt, ...changes },
    aContext(context),
  )

const begin = (
  changes: { state?: string; person?: Person } = {},
  context: Partial<EventContext> = {},
) =>
  cartSend(
    { kind: 'started', state: 'two-teas', cart: aCart(), person, at: happenedAt, ...changes },
    aContext(context),
  )

describe('a cart', () => {
  it('of a person without a valid email is not sent, and the log does not name what opens it', async () => {
    const context = aContext()
    const happening = {
      kind: 'updated',
      cart: aCart(),
      person: { email: '' },
      at: happenedAt,
    } as const
    expect(await cartSend(happening, context)).toBeUndefined()
    expect(context.lines).toMatchObject([{ level: 'info', fields: { cartId: 9 } }])
    expect(JSON.stringify(context.lines)).not.toContain(number)
  })

  it('can be switched off by each of its events', async () => {
    expect(await update({}, onlyWithout('updatedCart'))).toBeUndefined()
    expect(await begin({}, onlyWithout('updatedCart'))).toBeDefined()
    expect(await begin({}, onlyWithout('startedCheckout'))).toBeUndefined()
  })
})
