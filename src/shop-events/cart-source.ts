import { sql } from 'drizzle-orm'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { column, optionalColumn, type Database } from '../store/payload/database.js'
import { toldStateField } from '../store/payload/order-fields.js'
import type { SettingsSource } from '../store/settings-source.js'
import { cartSend, type CartHappening } from './cart-send.js'
import { changedRows } from './changed-rows.js'
import type { EventContexts } from './event-context.js'
import type { Source } from './feed.js'
import type { Guard } from './guard.js'
import type { Person } from './person.js'
import { stateOf, type StoredCart, type StoredCarts } from './stored-carts.js'
import type { TakenCarts } from './taken-carts.js'

export interface CartSourceParts {
  database: Database
  options: Pick<ResolvedOptions, 'collections'>
  carts: StoredCarts
  takeCart: TakenCarts
  contextOf: EventContexts
  settings: SettingsSource
  guard: Guard
}

/** What is sent of a cart as it is now; nothing where the store's own code fails at it. */
export const createCartSender =
  ({ takeCart, contextOf, guard }: Pick<CartSourceParts, 'takeCart' | 'contextOf' | 'guard'>) =>
  (cart: StoredCart, happening: CartHappening): Promise<NewSend | undefined> =>
    guard(
      async () => {
        const context = await contextOf({ siteId: cart.siteId, cartNumber: cart.number })
        return cartSend({ ...happening, cart: await takeCart(cart) }, context)
      },
      { about: () => ({ cartId: cart.id }), sentence: 'The event of a cart failed' },
    )

/** How long a cart has to be left alone: what is changed again within it is told once. */
export const quietMs = 60_000

/** Carts that nobody changes any more, each once for what it holds. */
export function createCartSource(parts: CartSourceParts): Source {
  const { database, options, carts, settings } = parts
  const table = database.table(options.collections.carts)
  const id = column(table, 'id')
  const purchasedAt = optionalColumn(table, 'purchasedAt') ?? sql`null`
  const rows = { table, at: column(table, 'updatedAt'), condition: sql`${purchasedAt} is null` }

  const composed = createCartSender(parts)

  return {
    name: 'carts',
    quietMs,
    firstBackMs: 24 * 60 * 60_000,
    changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids, { until }) {
      const { builtInEvents } = await settings.marketing()
      if (!builtInEvents.updatedCart) return { sends: [] }
      const found = await carts.read({ id: { in: [...ids] } })
      // Who changes the cart now is told of later.
      const quiet = found.filter((cart) => cart.updatedAt <= until && mayBeTold(cart))
      const people = await carts.people(quiet)
      const sends: NewSend[] = []
      const told: { cart: StoredCart; state: string }[] = []
      for (const cart of quiet) {
        const person = people.get(cart.id)
        const state = person && toldStateOf(cart, person)
        if (person === undefined || state === undefined || state === cart.toldState) continue
        const send = await composed(cart, { kind: 'updated', person, at: cart.updatedAt })
        if (send === undefined) continue
        sends.push(send)
        told.push({ cart, state })
      }
      return {
        sends,
        async note() {
          // Nobody else sees a change: `updatedAt` stays.
          for (const { cart, state } of told) {
            await database.update(table, { [toldStateField]: state }, sql`${id} = ${cart.id}`)
          }
        },
      }
    },
  }
}

/** What is told of a cart, and whose it is: who puts their email right is told of anew. */
const toldStateOf = (cart: StoredCart, { email }: Person): string =>
  hashOf([stateOf(cart), email.toLowerCase()])

/** One with things in it, or that was emptied since it was told. */
const mayBeTold = ({ number, isPurchased, lines, toldState }: StoredCart): boolean =>
  number !== '' && !isPurchased && (lines.length > 0 || toldState !== undefined)
