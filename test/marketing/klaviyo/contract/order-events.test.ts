import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cartSend, orderSends } from '../../../../src/marketing/events/event-sends.js'
import { exportableOrder } from '../../../support/arbitrary-order.js'
import { answering, accepted } from '../../../unit/marketing/klaviyo/answering.js'
import {
  aCart,
  aContext,
  anOrder,
  aParcel,
  entered,
  happenedAt,
  messageOf,
  placed,
} from '../../../unit/marketing/feeds/events.js'
import type { NewSend } from '../../../../src/marketing/delivery/send.js'
import { contracts, published } from '../../../../dev/klaviyo/published.ts'

const happenings = [placed, entered('refunded'), entered('shipped', { parcels: [aParcel()] })]

/** Checks the body that leaves for an event. */
function accepting() {
  const { body } = published('event')
  return async (send: NewSend | undefined) => {
    const { klaviyo, asked, options } = answering(accepted())
    const { acceptedAt } = send ?? { acceptedAt: happenedAt }
    await klaviyo.trackEvent({ message: messageOf(send), acceptedAt }, options)
    expect(asked).toHaveLength(1)
    expect(body?.(asked[0]?.body)).toEqual([])
  }
}

describe.skipIf(!contracts)("The platform's published documents (needs CONTRACTS_DIR)", () => {
  it('accept the events of any order', async () => {
    const isAccepted = accepting()
    await fc.assert(
      fc.asyncProperty(exportableOrder, async (order) => {
        const known = { ...order, email: 'ada@example.com' }
        for (const send of await orderSends(known, happenings, aContext())) await isAccepted(send)
      }),
      { numRuns: 200 },
    )
  })

  it('accept the events of a cart and of an ordinary order', async () => {
    const isAccepted = accepting()
    const person = { email: 'ada@example.com' }
    const about = { cart: aCart(), person, at: happenedAt }
    await isAccepted(await cartSend({ kind: 'updated', ...about }, aContext()))
    await isAccepted(await cartSend({ kind: 'started', state: 'it', ...about }, aContext()))
    const sends = await orderSends(anOrder(), happenings, aContext())
    expect(sends).toHaveLength(4)
    for (const send of sends) await isAccepted(send)
  })
})
