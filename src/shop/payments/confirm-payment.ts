import { createLocalReq, type BasePayload, type Endpoint, type PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { Problem } from '../../core/errors.js'
import { idOf, valueAt } from '../../core/payload/document-value.js'
import { withClaim, type OwnClaim } from './own-claim.js'
import type { PaymentShop } from './payment-options.js'

type Data = Record<string, unknown>

interface Confirmation {
  /** In place of the extension's own. */
  claim?: OwnClaim | undefined
  /** A payment that was not made is no error then. */
  isAsking?: boolean
}

/**
 * Has the extension confirm a payment as the shopper's browser does. False where its payment method is gone.
 *
 * @throws {Problem} ORDER_NOT_FINISHED when the extension cannot even ask the payment method.
 */
export async function confirmPayment(
  { payload, options, customersSlug }: PaymentShop,
  id: DocumentId,
  { claim, isAsking = false }: Confirmation,
): Promise<boolean> {
  const { transactions, carts } = options.collections
  const payment: Data = await payload.findByID({ collection: transactions, id, depth: 0 })
  const method = String(payment.paymentMethod)
  const endpoint = confirmationOf(payload, method)
  if (endpoint === undefined) return false
  const cartId = idOf(payment.cart)
  const cart =
    cartId && (await payload.db.findOne({ collection: carts, where: { id: { equals: cartId } } }))
  const user = await customerOf(payload, customersSlug, payment)
  const context = claim && withClaim(claim)
  const req = await createLocalReq({ ...(user && { user }), ...(context && { context }) }, payload)
  req.data = {
    // What the payment method has kept with the payment, such as its own id of it.
    ...(valueAt(payment, method) as Data | undefined),
    transactionID: id,
    cartID: cartId,
    secret: valueAt(cart, 'secret'),
    customerEmail: payment.customerEmail,
    ...(await options.payments.confirmation?.(payment)),
  }
  if (isAsking) keepQuiet(req)
  try {
    await endpoint.handler(req)
  } catch (cause) {
    // Its cart is gone, for one. What happens later, the extension catches and logs.
    throw new Problem('ORDER_NOT_FINISHED', { cause, log: { payment: id } })
  }
  return true
}

/** The extension's endpoint that confirms payments of a method; undefined without such a method. */
export const confirmationOf = ({ config }: BasePayload, method: string): Endpoint | undefined =>
  config.endpoints.find(({ path }) => path === `/payments/${method}/confirm-order`)

/** The customer who paid, as if logged in; undefined for a guest. */
async function customerOf(
  payload: BasePayload,
  collection: string | undefined,
  payment: Data,
): Promise<PayloadRequest['user'] | undefined> {
  const id = idOf(payment.customer)
  if (id === undefined || collection === undefined) return undefined
  const customer = await payload.findByID({ collection, id, depth: 0, disableErrors: true })
  return customer && { ...customer, collection }
}

/**
 * Has what is logged of a request as an error logged for debugging. Its payload stays, although each operation of Payload
 * sets it.
 */
function keepQuiet(req: PayloadRequest): void {
  const { payload } = req
  const { logger } = payload
  const error = (...given: Parameters<typeof logger.debug>) => logger.debug(...given)
  const quietLogger = Object.create(logger, { error: { value: error } }) as typeof logger
  const quiet = Object.create(payload, { logger: { value: quietLogger } }) as BasePayload
  Object.defineProperty(req, 'payload', { get: () => quiet, set: () => undefined })
}
