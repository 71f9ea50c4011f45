import { sql } from 'drizzle-orm'
import type { DocumentId } from '../../core/database/document-id.js'
import type { NewSend } from '../delivery/send.js'
import { hashOf } from '../../core/signing.js'
import type { CartDocument } from '../../carts/cart-documents.js'
import { column, columnOrNull } from '../../core/database/database.js'
import { idOf } from '../../core/payload/document-value.js'
import { sentStateField, checkoutStateField } from '../../shop/orders/order-fields.js'
import { changedRows, noteStates, dayMs, type Source } from './feed.js'
import type { Person } from '../events/person.js'
import { checkoutEmail, stateOf, textAt, type ShopCarts, type StoredCart } from './shop-carts.js'
import type { Shop } from '../../core/shop.js'
import type { AccountEmails } from './account-emails.js'
import type { MarketingSettingsParts } from '../settings/parts.js'

/** Reports a quiet cart once for the same contents. */
export function createCartSource(
  { database, options }: Shop,
  { marketingSettings }: MarketingSettingsParts,
  carts: ShopCarts,
): Source {
  const slug = options.collections.carts
  const table = database.table(slug)
  const purchasedAt = columnOrNull(table, 'purchasedAt')
  const rows = { table, at: column(table, 'updatedAt'), condition: sql`${purchasedAt} is null` }

  return {
    name: 'carts',
    // Several changes within this time make one event.
    quietMs: 60_000,
    firstBackMs: dayMs,
    changedAfter: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids, { isUnchanged }) {
      const { builtInEvents } = await marketingSettings.get()
      if (!builtInEvents.updatedCart) return { sends: [] }
      const found = await carts.toBuy(await carts.read({ id: { in: [...ids] } }))
      const quiet = found.filter((cart) => isUnchanged(cart.id, cart.updatedAt) && isReported(cart))
      const people = await carts.people(quiet)
      const sends: NewSend[] = []
      const states = new Map<DocumentId, string>()
      for (const cart of quiet) {
        const person = people.get(cart.id)
        if (person === undefined) continue
        // With the person in the state, a corrected email makes a new event.
        const state = hashOf([stateOf(cart), person.email?.toLowerCase() ?? person.exchangeId])
        if (state === cart.sentState) continue
        const send = await carts.sendOf(cart, { kind: 'updated', person, at: cart.updatedAt })
        if (send === undefined) continue
        sends.push({ ...send, account: cart.customerId })
        states.set(cart.id, state)
      }
      return { sends, note: () => noteStates(database, { slug, field: sentStateField }, states) }
    },
  }
}

/** An empty cart is reported only when an earlier report said that it held something. */
const isReported = ({ number, lines, sentState }: StoredCart): boolean =>
  number !== '' && (lines.length > 0 || sentState !== '')

/** @throws {TypeError} when the transactions have no cart. */
export function createCheckoutSource({ database, options }: Shop, carts: ShopCarts): Source {
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
    changedAfter: (from, range) => changedRows(database, rows, { from, ...range }),
    async report(ids) {
      const checkouts = await carts.documents(slug, { id: { in: [...ids] } })
      const emails = await carts.accountEmails(checkouts.map(({ customer }) => idOf(customer)))
      const cartIds = checkouts.flatMap(({ cart }) => idOf(cart) ?? [])
      const found = await carts.read({ id: { in: cartIds } })
      const sends: NewSend[] = []
      for (const checkout of checkouts.toReversed()) {
        const cart = found.find(({ id }) => id === idOf(checkout.cart))
        if (cart === undefined || cart.number === '') continue
        const person = personOf(checkout, cart, emails)
        if (person === undefined) continue
        const send = await carts.sendOf(cart, {
          kind: 'started',
          person,
          at: new Date(textAt(checkout, 'createdAt')),
          state: textAt(checkout, checkoutStateField),
        })
        if (send !== undefined) sends.push({ ...send, account: idOf(checkout.customer) })
      }
      return { sends }
    },
  }
}

function personOf(
  checkout: CartDocument,
  { exchangeId }: StoredCart,
  emails: AccountEmails,
): Person | undefined {
  const email = checkoutEmail(checkout, emails)
  if (!email) return exchangeId === '' ? undefined : { exchangeId }
  const customerId = idOf(checkout.customer)
  const account = emails.get(customerId)
  const isAccount = customerId !== undefined && account?.isNamed && email === account.email
  return {
    email,
    ...(isAccount && { customerId }),
    firstName: textAt(checkout, 'billingAddress.firstName'),
    lastName: textAt(checkout, 'billingAddress.lastName'),
    phone: textAt(checkout, 'billingAddress.phone'),
  }
}
