import { sql } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
import { column } from '../store/payload/database.js'
import { idOf } from '../store/payload/document-value.js'
import { checkoutStateField } from '../store/payload/order-fields.js'
import { createCartSender, type CartSourceParts } from './cart-source.js'
import { changedRows } from './changed-rows.js'
import type { Source } from './feed.js'
import type { Person } from './person.js'
import { textAt } from './stored-carts.js'

/** A payment that was begun. */
type Checkout = Record<string, unknown>

/**
 * Checkouts that were begun, each with what its cart held then.
 *
 * @throws {TypeError} when the transactions have no cart.
 */
export function createCheckoutSource(parts: Omit<CartSourceParts, 'settings'>): Source {
  const { database, options, carts } = parts
  const slug = options.collections.transactions
  const table = database.table(slug)
  const [state, cartColumn] = [column(table, checkoutStateField), column(table, 'cart')]
  const rows = {
    table,
    at: column(table, 'createdAt'),
    condition: sql`${state} is not null and ${cartColumn} is not null`,
  }

  const composed = createCartSender(parts)

  return {
    name: 'checkouts',
    quietMs: 0,
    firstBackMs: 24 * 60 * 60_000,
    changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids) {
      const checkouts = await carts.documents(slug, { id: { in: [...ids] } })
      const emails = await carts.accountEmails(checkouts.map(({ customer }) => idOf(customer)))
      const cartIds = checkouts.flatMap(({ cart }) => idOf(cart) ?? [])
      const found = await carts.read({ id: { in: cartIds } })
      const byId = new Map(found.map((cart) => [cart.id, cart]))
      const sends: NewSend[] = []
      for (const id of ids) {
        const checkout = checkouts.find((each) => each.id === id)
        const cart = byId.get(idOf(checkout?.cart) ?? '')
        const person = checkout && personOf(checkout, emails)
        if (!checkout || !person || cart === undefined || cart.number === '') continue
        const at = new Date(textAt(checkout, 'createdAt'))
        const state = textAt(checkout, checkoutStateField)
        const send = await composed(cart, { kind: 'started', person, at, state })
        if (send !== undefined) sends.push(send)
      }
      return { sends }
    },
  }
}

/** Undefined when nobody is known to have begun it. */
function personOf(checkout: Checkout, emails: ReadonlyMap<DocumentId, string>): Person | undefined {
  const customerId = idOf(checkout.customer)
  const accountEmail = customerId === undefined ? undefined : emails.get(customerId)
  const email = textAt(checkout, 'customerEmail') || accountEmail
  if (!email) return undefined
  const isAccount = customerId !== undefined && email === accountEmail
  return {
    email,
    ...(isAccount && { customerId }),
    firstName: textAt(checkout, 'billingAddress.firstName'),
    lastName: textAt(checkout, 'billingAddress.lastName'),
    phone: textAt(checkout, 'billingAddress.phone'),
  }
}
