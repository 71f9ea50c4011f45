import { createConsentOffers } from '../../src/consent/checkout-consent.js'

type Offer = Parameters<ReturnType<typeof createConsentOffers>['sign']>[0]

// As in `storeConfig`.
const offers = createConsentOffers({ secret: 'a-secret-of-the-test-store' })

/** What a checkout asks, as its form holds it. */
export const anOffer = (changes: Partial<Offer> = {}): string =>
  offers.sign({
    email: 'Send me the tea letter.',
    sms: 'Text me.',
    version: '2026-03',
    page: 'https://shop.example/checkout',
    ...changes,
  })
