import { createLocalReq, type BasePayload } from 'payload'
import type { NewSend } from '../delivery/outbox.js'
import { cartSend } from './cart-send.js'
import type { QuietCarts, WalkEnd } from '../store/past-changes.js'
import type { Database } from '../store/payload/database.js'
import { inTransaction } from '../store/payload/in-transaction.js'
import type { PayloadOutbox } from '../store/payload/outbox/outbox.js'
import type { PayloadSettings } from '../store/payload/settings.js'
import type { EventContexts } from './event-contexts.js'
import type { FailureGuard } from '../store/payload/order-events/failure-guard.js'
import { toldStateOf, type StoredCart, type StoredCarts } from './stored-carts.js'
import type { TakenCarts } from './taken-carts.js'

export interface QuietCartsParts {
  payload: BasePayload
  database: Database
  carts: StoredCarts
  takeCart: TakenCarts
  contextOf: EventContexts
  settings: PayloadSettings
  outbox: PayloadOutbox
  guarded: FailureGuard
  walkEnd: WalkEnd
}

const lookedAtAtOnce = 100

/** Tells of carts that nobody has changed for a while, each once for what it holds. */
export function createQuietCarts(parts: QuietCartsParts): QuietCarts {
  const { payload, database, carts, takeCart, contextOf, settings, outbox, guarded, walkEnd } =
    parts

  async function composed(cart: StoredCart): Promise<NewSend[]> {
    const { person, number, siteId, updatedAt } = cart
    if (person === undefined) return []
    const send = await guarded(
      async () => {
        const context = await contextOf({ siteId, cartNumber: number })
        const taken = await takeCart(cart)
        return cartSend({ kind: 'updated', cart: taken, person, at: updatedAt }, context)
      },
      {
        about: () => ({ cartId: cart.id }),
        sentence: 'The event of a cart failed',
        otherwise: undefined,
      },
    )
    return send === undefined ? [] : [send]
  }

  /** Send and note together: what was told is noted, and what is noted was told. */
  async function store(cart: StoredCart, sends: readonly NewSend[]): Promise<void> {
    const note = { id: cart.id, state: toldStateOf(cart) }
    if (database.isSqlite) {
      await outbox.storeTogether(sends, [carts.toldStatement(database, note)])
      return
    }
    const req = await createLocalReq({}, payload)
    await inTransaction(database, req, async (own) => {
      const connection = await database.within(own)
      const current = await carts.locked(cart.id, connection)
      // Of two workers one is the first; and who changes the cart now is told of later.
      if (current !== undefined && isToTell(current) && sameMoment(current, cart)) {
        await outbox.storeWithin(connection, sends)
        await carts.toldStatement(connection, note)
      }
    })
  }

  return {
    ...walkEnd,
    async tell(from, until) {
      const { builtInEvents } = await settings.marketing()
      if (!builtInEvents.updatedCart) return undefined
      const { carts: page, next } = await carts.quiet(from, { until, limit: lookedAtAtOnce })
      for (const cart of page.filter(isToTell)) {
        const sends = await composed(cart)
        if (sends.length > 0) await store(cart, sends)
      }
      return next
    },
  }
}

/** One with things in it, or that was emptied since it was told; and not what was told already. */
const isToTell = (cart: StoredCart): boolean =>
  cart.person !== undefined &&
  cart.number !== '' &&
  !cart.isPurchased &&
  (cart.lines.length > 0 || cart.toldState !== undefined) &&
  cart.toldState !== toldStateOf(cart)

const sameMoment = (one: StoredCart, other: StoredCart) =>
  one.updatedAt.getTime() === other.updatedAt.getTime()
