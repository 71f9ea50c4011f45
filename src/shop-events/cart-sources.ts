import { sql } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../marketing/send-key.js'
import type { CartDocument } from '../store/payload/cart-documents.js'
import { column, optionalColumn } from '../store/payload/database.js'
import { idOf } from '../store/payload/document-value.js'
import { checkoutStateField, toldStateField } from '../store/payload/order-fields.js'
import { changedRows, noteStates } from './changed-rows.js'
import { dayMs, type Source } from './feed.js'
import type { Person } from './person.js'
import {
  checkoutEmail,
  stateOf,
  textAt,
  type AccountEmails,
  type ShopCarts,
  type StoredCart,
} from './shop-carts.js'
import type { ShopParts } from './shop-parts.js'

/** Carts that nobody changes any more, each once for what it holds. */
export function createCartSource(
  { database, options, settings }: ShopParts,
  carts: ShopCarts,
): Source {
  const table = database.table(options.collections.carts)
  const purchasedAt = optionalColumn(table, 'purchasedAt') ?? sql`null`
  const rows = { table, at: column(table, 'updatedAt'), condition: sql`${purchasedAt} is null` }

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

/**
 * Checkouts that were begun, each with what its cart held then.
 *
 * @throws {TypeError} when the transactions have no cart.
 */
export function createCheckoutSource({ database, options }: ShopParts, carts: ShopCarts): Source {
  const slug = options.collections.transactions
  const table = database.table(slug)
  const [state, cartColumn] = [column(table, checkoutStateField), column(table, 'cart')]
  const rows = {
    table,
    at: column(table, 'createdAt'),
    condition: sql`${state} is not null and ${cartColumn} is not null`,
  }

  return {
    name: 'checkouts',
    quietMs: 0,
    firstBackMs: dayMs,
    changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids) {
      const checkouts = await carts.documents(slug, { id: { in: [...ids] } })
      const emails = await carts.accountEmails(checkouts.map(({ customer }) => idOf(customer)))
      const cartIds = checkouts.flatMap(({ cart }) => idOf(cart) ?? [])
      const found = await carts.read({ id: { in: cartIds } })
      const sends: NewSend[] = []
      for (const checkout of checkouts.toReversed()) {
        const cart = found.find(({ id }) => id === idOf(checkout.cart))
        const person = personOf(checkout, emails)
        if (cart === undefined || cart.number === '' || person === undefined) continue
        const send = await carts.sendOf(cart, {
          kind: 'started',
          person,
          at: new Date(textAt(checkout, 'createdAt')),
          state: textAt(checkout, checkoutStateField),
        })
        if (send !== undefined) sends.push(send)
      }
      return { sends }
    },
  }
}

/** Undefined when nobody is known to have begun it. */
function personOf(checkout: CartDocument, emails: AccountEmails): Person | undefined {
  const email = checkoutEmail(checkout, emails)
  if (!email) return undefined
  const customerId = idOf(checkout.customer)
  const isAccount = customerId !== undefined && email === emails.get(customerId)
  return {
    email,
    ...(isAccount && { customerId }),
    firstName: textAt(checkout, 'billingAddress.firstName'),
    lastName: textAt(checkout, 'billingAddress.lastName'),
    phone: textAt(checkout, 'billingAddress.phone'),
  }
}
