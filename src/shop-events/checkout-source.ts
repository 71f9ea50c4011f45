import { sql } from 'drizzle-orm'
import type { NewSend } from '../delivery/send.js'
import type { CartDocument } from '../store/payload/cart-documents.js'
import { column } from '../store/payload/database.js'
import { idOf } from '../store/payload/document-value.js'
import { checkoutStateField } from '../store/payload/order-fields.js'
import { changedRows } from './changed-rows.js'
import { dayMs, type Source } from './feed.js'
import type { Person } from './person.js'
import { checkoutEmail, textAt, type AccountEmails, type ShopCarts } from './shop-carts.js'
import type { ShopParts } from './shop-parts.js'

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
