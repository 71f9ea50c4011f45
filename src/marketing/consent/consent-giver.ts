import { isSameEmail, readEmail } from '../../core/people/email.js'
import { createHash } from 'node:crypto'
import type { BasePayload, CollectionBeforeChangeHook, Field, PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { addressedOf, hasSession } from '../../core/http/session.js'
import type { Sessions } from '../../core/http/sessions.js'
import type { OrderOrigin, ReadCartPost } from '../../core/feature.js'
import {
  ownNote,
  sharedAtField,
  consentField,
  giverFields,
} from '../../shop/orders/order-fields.js'
import type { ShopNames } from '../../core/shop-names.js'
import { idOf, valueAt, textOf } from '../../core/payload/document-value.js'
import {
  isAnswered,
  unanswered,
  type ConsentGiver,
  noteCheckoutConsent,
  readCheckoutConsent,
  type ConsentOffers,
} from './checkout-consent.js'
import type { FormVisit, Visitor } from '../../core/http/visit.js'
import { textParameter } from '../../core/http/parameters.js'
import type { Shop } from '../../core/shop.js'

interface ConsentTaker {
  /** The mark of the session; undefined when the request has none, such as that of a payment provider. */
  session: string | undefined
  email: string
  isAccount: boolean
  /** Whether somebody who is logged in places the order for another person. */
  isForAnother: boolean
}

/**
 * Whether an answer is that of the person who places the order (`docs/interface.md` (People)). An answer of an
 * account is for its own orders. A guest's is for an order of the same session, as anybody can type an address,
 * or of no session, while nobody else had the cart. A person who is not recognised can be asked again, but what
 * somebody else ticked must subscribe nobody.
 */
function isOfGiver(giver: ConsentGiver, taker: ConsentTaker, isShared: boolean): boolean {
  const isOfGuest = giver.session !== undefined
  const isOfOneSession = isOfGuest && giver.session === taker.session
  if (giver.email === undefined) {
    return isOfOneSession && !taker.isAccount && !taker.isForAnother
  }
  if (!isSameEmail(giver.email, taker.email) || taker.isAccount === isOfGuest) return false
  return !isOfGuest || taker.isForAnother || isOfOneSession || (!taker.session && !isShared)
}

/** A digest, from which nobody can find the session. */
export const sessionMark = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('base64url')

export const consentGiverFields = (): Field[] =>
  Object.values(giverFields).map((name) => ({ ...ownNote, name, type: 'text' }))

const giverOf = (cart: unknown): ConsentGiver => ({
  session: textOf(valueAt(cart, giverFields.session)),
  email: textOf(valueAt(cart, giverFields.email)),
})

/**
 * A cart that becomes an account's loses the answers that were given before: anybody may have typed the
 * account's address as a guest.
 */
export const leaveConsentBehind =
  ({ fields }: ShopNames): CollectionBeforeChangeHook =>
  ({ data, operation, originalDoc }) => {
    const cart = data as Record<string, unknown>
    const customer = idOf(valueAt(cart, fields.customer))
    const isHandedOver =
      operation === 'update' &&
      customer !== undefined &&
      customer !== idOf(valueAt(originalDoc, fields.customer)) &&
      isAnswered(valueAt(originalDoc, consentField))
    if (!isHandedOver) return cart
    return {
      ...cart,
      [consentField]: unanswered(),
      [giverFields.session]: null,
      [giverFields.email]: null,
    }
  }

interface TakerSource {
  names: ShopNames
  /** Slug of the customers' collection; undefined where carts have no customers. */
  customersSlug: string | undefined
  sessionsOf: (payload: BasePayload) => Promise<Pick<Sessions, 'open'>>
}

/**
 * What a new order takes over from its cart: the answers and the address at that time, because an account
 * may change its address later or be deleted. Nothing when the answers are somebody else's.
 */
export const consentForOrder =
  (source: TakerSource) =>
  async ({ cart, order, req }: OrderOrigin): Promise<Record<string, unknown>> => {
    const consent = valueAt(cart, consentField)
    if (!isAnswered(consent)) return {}
    const taker = await takerOf(order, req, source)
    // A link has given the cart to another session than that of its guest.
    const isShared = valueAt(cart, sharedAtField) !== undefined
    if (!isOfGiver(giverOf(cart), taker, isShared)) return {}
    return { [consentField]: consent, [giverFields.email]: taker.email }
  }

async function takerOf(
  order: unknown,
  req: PayloadRequest,
  { names: { fields }, customersSlug, sessionsOf }: TakerSource,
): Promise<ConsentTaker> {
  const customer = idOf(valueAt(order, fields.customer))
  const typed = textOf(valueAt(order, fields.customerEmail))
  const isOwn = req.user?.collection === customersSlug && req.user?.id === customer
  const request = addressedOf(req)
  const session =
    request && hasSession(request)
      ? (await (await sessionsOf(req.payload)).open(request)).data
      : undefined
  return {
    session: session && sessionMark(session.id),
    email: typed ?? (await accountEmail(req, { id: customer, customersSlug })),
    isAccount: customer !== undefined,
    isForAnother: Boolean(req.user) && !isOwn,
  }
}

/** Blank when there is no such account. */
async function accountEmail(
  req: PayloadRequest,
  { id, customersSlug }: { id: DocumentId | undefined; customersSlug: string | undefined },
): Promise<string> {
  const { payload, user } = req
  if (id === undefined || customersSlug === undefined) return ''
  const account: unknown =
    user?.collection === customersSlug && user.id === id
      ? user
      : await payload.findByID({
          collection: customersSlug,
          id,
          depth: 0,
          disableErrors: true,
          select: { email: true },
          req,
        })
  return textOf(valueAt(account, 'email')) ?? ''
}

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
