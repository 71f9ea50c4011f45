import { sql } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import { column, optionalColumn } from '../store/payload/database.js'
import { toldStateField } from '../store/payload/order-fields.js'
import { changedRows, noteStates } from './changed-rows.js'
import { dayMs, type Source } from './feed.js'
import { stateOf, type ShopCarts, type StoredCart } from './shop-carts.js'
import type { ShopParts } from './shop-parts.js'

/** Carts that nobody changes any more, each once for what it holds. */
export function createCartSource(
  { database, options, settings }: ShopParts,
  carts: ShopCarts,
): Source {
  const table = database.table(options.collections.carts)
  const purchasedAt = optionalColumn(table, 'purchasedAt') ?? sql`null`
  const rows = {
    table,
    at: column(table, 'updatedAt'),
    condition: sql`${purchasedAt} is null`,
  }

  return {
    name: 'carts',
    // What is changed again within it is reported once.
    quietMs: 60_000,
    firstBackMs: dayMs,
    changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids, { until }) {
      const { builtInEvents } = await settings.marketing()
      if (!builtInEvents.updatedCart) return { sends: [] }
      const found = await carts.read({ id: { in: [...ids] } })
      // Who changes, or buys, the cart now is reported later.
      const quiet = found.filter((cart) => cart.updatedAt <= until && isReported(cart))
      const people = await carts.people(quiet)
      const sends: NewSend[] = []
      const states = new Map<DocumentId, string>()
      for (const cart of quiet) {
        const person = people.get(cart.id)
        if (person === undefined) continue
        // Who puts their email right is reported anew.
        const state = hashOf([stateOf(cart), person.email.toLowerCase()])
        if (state === cart.sentState) continue
        const send = await carts.sendOf(cart, { kind: 'updated', person, at: cart.updatedAt })
        if (send === undefined) continue
        sends.push(send)
        states.set(cart.id, state)
      }
      return { sends, note: () => noteStates(database, { table, field: toldStateField }, states) }
    },
  }
}

/** One with things in it, or that was emptied since it was reported. */
const isReported = ({ number, lines, sentState }: StoredCart): boolean =>
  number !== '' && (lines.length > 0 || sentState !== '')
