import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/outbox.js'
import { cartSend } from './cart-send.js'
import type { Position } from '../store/past-changes.js'
import type { Database } from '../store/payload/database.js'
import type { EventContexts } from './event-contexts.js'
import type { StoreEvents } from '../store/payload/order-events/event-store.js'
import type { FailureGuard } from '../store/payload/order-events/failure-guard.js'
import { stateOf, type StoredCarts } from './stored-carts.js'
import type {
  StoredCheckout,
  StoredCheckouts,
} from '../store/payload/order-events/stored-checkouts.js'
import type { TakenCarts } from './taken-carts.js'
import type { Tellings } from '../store/payload/order-events/tellings.js'

export interface CheckoutTellerParts {
  database: Database
  carts: StoredCarts
  checkouts: StoredCheckouts
  takeCart: TakenCarts
  contextOf: EventContexts
  store: StoreEvents
  tellings: Tellings
  guarded: FailureGuard
}

const sweptAtOnce = 100

/** Tells the marketing platform of checkouts that were begun. */
export function createCheckoutTeller(parts: CheckoutTellerParts) {
  const { database, carts, checkouts, takeCart, contextOf, store, tellings, guarded } = parts

  async function composed(
    { cartId, person, state, at }: StoredCheckout,
    req?: PayloadRequest,
  ): Promise<NewSend[]> {
    const connection = req ? await database.within(req) : database
    const cart = await carts.read({ id: cartId }, connection)
    if (person === undefined || cart === undefined || cart.number === '') return []
    const send = await guarded(
      async (own) => {
        const context = await contextOf({ siteId: cart.siteId, cartNumber: cart.number }, own)
        const taken = await takeCart(cart, own)
        return cartSend({ kind: 'started', cart: taken, person, at, state }, context)
      },
      {
        req,
        about: () => ({ cartId }),
        sentence: 'The event of a checkout failed',
        otherwise: undefined,
      },
    )
    return send === undefined ? [] : [send]
  }

  async function storeStarted(id: DocumentId, req?: PayloadRequest): Promise<void> {
    const checkout = await checkouts.read(id, req ? await database.within(req) : database)
    if (checkout !== undefined) await store(await composed(checkout, req), req)
  }

  return {
    /** What a cart holds at the beginning of a checkout, in short; undefined for one that is not told. */
    async stateOf(cartId: DocumentId, req: PayloadRequest): Promise<string | undefined> {
      const cart = await carts.read({ id: cartId }, await database.within(req))
      return cart && stateOf(cart)
    },

    started: (id: DocumentId, req: PayloadRequest): Promise<void> =>
      tellings.take((within) => storeStarted(id, within), { req, about: { transactionId: id } }),

    /** Stores again what a page of checkouts has to tell. */
    async sweep(from: Position, until: Date): Promise<Position | undefined> {
      const range = { until, limit: sweptAtOnce }
      const { checkouts: page, next } = await checkouts.begunBehind(from, range)
      const sends: NewSend[] = []
      for (const checkout of page) sends.push(...(await composed(checkout)))
      await store(sends)
      return next
    },
  }
}
