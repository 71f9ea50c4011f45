import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { createConsentOffers, keptProofsSlug } from './checkout-consent.js'
import type { consentOptions } from './consent-options.js'
import { readConsentOfPost } from './consent-giver.js'
import { createConsentPoll, type ConsentPollNeed } from './consent-poll.js'
import { createConsentProofs } from './consent-proof.js'
import { columnOrNull } from '../../core/database/database.js'
import { defineParts, type ForgetPerson } from '../../core/feature.js'

interface Options {
  marketing: OptionsOf<typeof consentOptions>
}

export type ConsentParts = ReturnType<typeof build>

function build(shop: Shop<Options>, parts: ConsentPollNeed) {
  return {
    consentOffers: createConsentOffers({ secret: shop.payload.config.secret }),
    consentProofs: createConsentProofs(shop),
    /** The proofs of deleted orders. */
    keptProofs: shop.database.table(keptProofsSlug),
    consentPoll: createConsentPoll(shop, parts),
  }
}

export const consentParts = defineParts({
  build,
  workers: (_shop: Shop, { consentPoll }: ConsentParts) => [consentPoll],
  forgetPerson:
    ({ database }: Shop, { keptProofs }: ConsentParts): ForgetPerson =>
    (connection, { proofs }) => [
      connection.delete(keptProofs, database.isOneOf(columnOrNull(keptProofs, 'id'), proofs)),
    ],
  readCartPost: (shop: Shop, { consentOffers }: ConsentParts) =>
    readConsentOfPost(shop, consentOffers),
})
