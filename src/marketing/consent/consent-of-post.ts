import type { ReadCartPost } from '../../core/feature.js'
import type { FormVisit, Visitor } from '../../core/http/visit.js'
import { textParameter } from '../../core/http/parameters.js'
import { readEmail } from '../../core/people/email.js'
import type { Shop } from '../../core/shop.js'
import {
  noteCheckoutConsent,
  readCheckoutConsent,
  type ConsentGiver,
  type ConsentOffers,
} from './checkout-consent.js'
import { sessionMark } from './consent-giver.js'

/** Reads the answers of the checkout in a post that changes the cart, and notes them with it. */
export const readConsentOfPost =
  ({ database, options, effects }: Shop, offers: ConsentOffers): ReadCartPost =>
  (form) => {
    const consent = readCheckoutConsent(form.tree, { offers, now: effects.now() })
    if (consent === undefined) return undefined
    return ({ id: cartId, customer }) => {
      const place = { carts: options.collections.carts, cartId }
      return noteCheckoutConsent(database, place, { consent, giver: giverIn(form, customer) })
    }
  }

/** A customer is known by the account, a guest by the session and the `email` of the same form. */
function giverIn({ tree, session }: FormVisit, customer: Visitor | undefined): ConsentGiver {
  const posted = customer ? customer.document.email : textParameter(tree, 'email')
  return {
    session: customer ? undefined : sessionMark(session.data.id),
    email: typeof posted === 'string' ? readEmail(posted) : undefined,
  }
}
