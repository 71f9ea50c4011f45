import { partsOf } from '../../support/parts.js'
import type { TestStore } from '../../support/store.js'

/** What a checkout asks, as its form holds it. */
export const anOffer = ({ payload }: Pick<TestStore, 'payload'>): string =>
  partsOf(payload).consentOffers.sign({
    email: 'Send me the tea letter.',
    sms: 'Text me.',
    version: '2026-03',
    page: 'https://shop.example/checkout',
  })
