import { sql } from 'drizzle-orm'
import {
  column,
  columnOrNull,
  momentOf,
  optionalColumn,
  selected,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { textOf, textOrNumber } from '../../core/payload/document-value.js'
import type { Translator } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import { lineTable } from '../../carts/cart-documents.js'
import type { CartParts } from '../../carts/parts.js'
import { formerCustomerField, personErasedField } from '../../shop/orders/order-fields.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import { namedValue, referenceOf, storedValue } from '../../shop/orders/stored-value.js'
import { amountText } from '../../shop/payments/payment-tables.js'
import type { createShippingStory } from '../story/shipping-story.js'
import { idsOfPerson, type Account, type Who } from './who.js'
import type { Person, PersonAccount, PersonCart, PersonOrder } from './person.js'
import type { PersonMarketing } from './person-marketing.js'

/** A page shows the newest. */
const most = { orders: 20, carts: 10 }

export interface PersonNeed extends Pick<CartParts, 'abandonedCartUrl'> {
  shipping: ReturnType<typeof createShippingStory> | undefined
  marketing: PersonMarketing | undefined
}

/** In the language of the reader. */
export interface Reader {
  translate: Translator
  statusName: (status: string) => string
}

/** Reads what the shop has of a person with six statements, each by an index. */
export function createReadPerson(
  shop: Shop,
  { shipping, marketing, abandonedCartUrl }: PersonNeed,
) {
  const { database, options, customersSlug = '' } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const carts = database.optionalTable(collections.carts)
  const payments = database.optionalTable(collections.transactions)

  async function readOrders(who: Who, emails: readonly string[], reader: Reader) {
    const atShipStation = await shipping?.standing()
    const byEmail = optionalColumn(orders, fields.customerEmail)
    const ofGuests = [
      ...(byEmail ? [database.isOneOf(byEmail, emails)] : []),
      database.isOneOf(column(orders, formerCustomerField), who.formerNotes),
    ]
    const ids = idsOfPerson(who, { table: orders, customer: fields.customer, ofGuests })
    const id = column(orders, 'id')
    const name = (part: string) =>
      storedValue(shop, collections.orders, `${fields.shippingAddress}.${part}`)
    const rows = await database.rows(sql`select ${selected({
      id,
      reference: referenceOf(orders, options),
      createdAt: column(orders, 'createdAt'),
      updatedAt: column(orders, 'updatedAt'),
      status: sql`cast(${column(orders, fields.status)} as text)`,
      amount: namedValue(shop, 'amount'),
      currency: namedValue(shop, 'currency'),
      personErased: column(orders, personErasedField),
      firstName: name('firstName'),
      lastName: name('lastName'),
      count: sql`count(*) over ()`,
      ...marketing?.columns,
      ...atShipStation?.columns,
    })} from ${orders} where ${id} in (${ids}) and ${orderCondition(shop)}
      order by ${column(orders, 'createdAt')} desc, ${id} desc limit ${most.orders}`)
    const asked = rows.map((row) => ({
      id: row.id as DocumentId,
      createdAt: new Date(String(row.createdAt)),
      updatedAt: new Date(String(row.updatedAt)),
      row,
    }))
    const standings = (await atShipStation?.ofOrders(asked, reader.translate)) ?? []
    const found = rows.map((row, place): PersonOrder => {
      const standing = standings[place]
      return {
        id: row.id as DocumentId,
        reference: textOf(row.reference) ?? String(row.id),
        at: isoOf(row.createdAt) ?? '',
        total: amountText(Number(row.amount ?? 0), textOrNumber(row.currency)),
        status: reader.statusName(textOf(row.status) ?? ''),
        ...(standing && { standing }),
        isErased: row.personErased !== null,
      }
    })
    return { rows, found }
  }

  async function readCarts(who: Who, emails: readonly string[]): Promise<PersonCart[]> {
    if (carts === undefined) return []
    const id = column(carts, 'id')
    const paying = payments && optionalColumn(payments, 'customerEmail')
    const ofPayments =
      payments && paying
        ? [
            sql`${id} in (select ${columnOrNull(payments, 'cart')} from ${payments}
              where ${database.isOneOf(paying, emails)})`,
          ]
        : []
    const ids = idsOfPerson(who, { table: carts, customer: fields.customer, ofGuests: ofPayments })
    const lines = lineTable(database, options)
    const [boughtAt, deletedAt] = [
      optionalColumn(carts, 'purchasedAt'),
      optionalColumn(carts, 'deletedAt'),
    ]
    const isOpen = [boughtAt, deletedAt].flatMap((at) => (at ? [sql`(${at} is null) is true`] : []))
    const rows = await database.rows(sql`select ${selected({
      id,
      number: columnOrNull(carts, fields.number),
      site: columnOrNull(carts, fields.site),
      updatedAt: column(carts, 'updatedAt'),
      lines: lines
        ? sql`(select count(*) from ${lines} where ${column(lines, '_parentID')} = ${id})`
        : sql`0`,
    })} from ${carts} where ${sql.join([sql`${id} in (${ids})`, ...isOpen], sql` and `)}
      order by ${column(carts, 'updatedAt')} desc limit ${most.carts}`)
    return Promise.all(
      rows.map(async (row) => {
        const { number, site } = row
        const count = Number(row.lines)
        const link = count > 0 ? await abandonedCartUrl({ cart: { number, site } }) : undefined
        const changedAt = isoOf(row.updatedAt) ?? ''
        return { id: row.id as DocumentId, changedAt, lines: count, ...(link && { link }) }
      }),
    )
  }

  return async (who: Who, reader: Reader): Promise<Person> => {
    const sent = await marketing?.sends(who, reader.translate)
    // The index has emails as they were typed.
    const emails = [...new Set([...who.emails, ...(sent?.emails ?? [])].flatMap(spellings))]
    const { rows, found } = await readOrders(who, emails, reader)
    const proofs = rows.flatMap(
      (row, place) => marketing?.proofsOf(row, found[place]?.reference ?? '') ?? [],
    )
    return {
      ...(who.account && { account: accountOf(who.account, customersSlug) }),
      name: nameOf(who.account ?? {}) || nameOf(rows[0] ?? {}),
      emails: [...new Set(who.emails.map((email) => email.toLowerCase()))],
      phoneNumbers: [...who.phoneNumbers],
      orders: found,
      orderCount: Number(rows[0]?.count ?? 0),
      carts: await readCarts(who, emails),
      ...(marketing && {
        sends: sent?.sends ?? [],
        consents: marketing.consentsOf(who.account ?? {}),
        proofs: [...proofs, ...(await marketing.keptProofs(who, emails))],
      }),
      ordersSlug: collections.orders,
      cartsSlug: collections.carts,
    }
  }
}

export const accountOf = (row: Account, slug: string): PersonAccount => ({
  id: row.id,
  path: `/collections/${slug}${row.deletedAt ? '/trash' : ''}/${row.id}`,
  email: textOf(row.email) ?? '',
  name: nameOf(row),
})

const nameOf = ({ name, firstName, lastName }: Row): string =>
  [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || (textOf(name) ?? '')

const isoOf = (value: unknown): string | undefined => momentOf(value)?.toISOString()

/** How a guest may have typed an email: as here, and as keyboards write it by themselves. */
const spellings = (email: string): string[] => {
  const lower = email.toLowerCase()
  return [email, lower, lower.charAt(0).toUpperCase() + lower.slice(1), lower.toUpperCase()]
}
