import { describe, expect, it } from 'vitest'
import { readCheckout } from '../../../dev/checkout-details.ts'
import { paymentProblem } from '../../../dev/payments/payment-problem.ts'

function aForm(fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  const all = {
    email: ' gwen@shop.example ',
    'shipping.firstName': 'Gwen',
    'shipping.city': ' Dublin ',
    'shipping.company': ' ',
    isBilledThere: 'on',
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) form.append(name, value)
  return form
}

describe('what the checkout asks', () => {
  it('comes without blanks, and the bill goes along', () => {
    expect(readCheckout(aForm(), undefined)).toEqual({
      customerEmail: 'gwen@shop.example',
      shippingAddress: { firstName: 'Gwen', city: 'Dublin' },
      billingAddress: { firstName: 'Gwen', city: 'Dublin' },
      customerNotes: '',
      gift: false,
      giftMessage: '',
    })
  })

  it('sends the bill elsewhere when the box is not ticked', () => {
    const form = aForm({ 'billing.firstName': 'Gus' })
    form.delete('isBilledThere')
    expect(readCheckout(form, undefined).billingAddress).toEqual({ firstName: 'Gus' })
  })

  it('takes an account at its own email', () => {
    expect(readCheckout(aForm(), 'zofia@example.com').customerEmail).toBe('zofia@example.com')
  })

  it('takes a card for a present', () => {
    expect(readCheckout(aForm({ giftMessage: 'For you' }), undefined).gift).toBe(true)
    expect(readCheckout(aForm({ gift: 'on' }), undefined).gift).toBe(true)
  })
})

describe('what a shopper reads when a payment fails', () => {
  it('names what is sold out', () => {
    const answer = JSON.stringify({ message: {}, cause: { code: 'OutOfStock', codes: [1] } })
    expect(paymentProblem(new Error(answer))).toContain('sold out')
  })

  it.each([new Error('Failed to fetch'), new Error('{"message":"secret"}'), 'junk', null])(
    'says no more than that nothing was charged: %s',
    (error) => {
      expect(paymentProblem(error)).toContain('nothing was charged')
      expect(paymentProblem(error)).not.toContain('secret')
    },
  )
})
