import { describe, expect, it } from 'vitest'
import type { ConsentProof } from '../../../../src/marketing/consent/checkout-consent.js'
import { consentMessage } from '../../../../src/marketing/consent/consent-send.js'

const moment = '2026-03-10T12:00:00.000Z'
const about = { email: 'ada@example.com', list: 'NEWS' }

const proof = (more: Partial<ConsentProof> = {}): ConsentProof => ({
  given: true,
  wording: 'Yes',
  version: '1',
  at: new Date(moment),
  page: '/checkout',
  phone: '',
  ...more,
})

describe('The subscription of a checkout', () => {
  it.each(['', '07400 123456', '+44', '+4912', 'hello'])('sends no SMS consent for %j', (phone) => {
    expect(consentMessage({ sms: proof({ phone }) }, about)).toBeUndefined()
    const both = consentMessage({ email: proof(), sms: proof({ phone }) }, about)
    expect(both?.channels).toEqual(['email'])
  })

  it.each([
    ['the shopper agreed to nothing', { email: proof({ given: false }) }, about],
    ['the moment is missing', { email: proof({ at: undefined }) }, about],
    ['the order has no valid email', { email: proof() }, { ...about, email: 'nobody' }],
    ['nothing was asked', {}, about],
  ])('does not exist when %s', (_, consent, of) => {
    expect(consentMessage(consent, of)).toBeUndefined()
  })

  it('may be for texts alone when the order has no valid email', () => {
    const sms = proof({ phone: '+447400123456' })
    const message = consentMessage({ sms }, { ...about, email: '' })
    expect(message).toMatchObject({ profile: { phoneNumber: '+447400123456' }, channels: ['sms'] })
  })
})
