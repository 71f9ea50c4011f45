import { expect, it } from 'vitest'
import { cartSend } from '../../../../src/marketing/events/event-sends.js'
import type { EventContext } from '../../../../src/marketing/events/event-context.js'
import { aCart, aContext, happenedAt, number, onlyWithout } from './events.js'

const sendOf = (kind: 'updated' | 'started', context: EventContext, email = 'ada@example.com') => {
  const about = { cart: aCart(), person: { email }, at: happenedAt }
  return cartSend(
    kind === 'updated' ? { kind, ...about } : { kind, state: 'two-teas', ...about },
    context,
  )
}

it('a cart of nobody with a valid email is not sent, and the log does not name what opens it', async () => {
  const context = aContext()
  expect(await sendOf('updated', context, '')).toBeUndefined()
  expect(context.lines).toMatchObject([{ level: 'info', fields: { cartId: 9 } }])
  expect(JSON.stringify(context.lines)).not.toContain(number)
})

it('a cart can be switched off by each of its events', async () => {
  const withoutUpdated = aContext(onlyWithout('updatedCart'))
  expect(await sendOf('updated', withoutUpdated)).toBeUndefined()
  expect(await sendOf('started', withoutUpdated)).toBeDefined()
  expect(await sendOf('started', aContext(onlyWithout('startedCheckout')))).toBeUndefined()
})
