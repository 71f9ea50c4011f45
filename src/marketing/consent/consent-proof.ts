import { sql, type SQL } from 'drizzle-orm'
import { textOrNumber } from '../../core/payload/document-value.js'
import type { PayloadRequest } from 'payload'
import {
  column,
  columnOrNull,
  type Connection,
  type PayloadTable,
  type Row,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonDialect } from '../../core/database/json-rows.js'
import { referenceOf } from '../../shop/orders/stored-value.js'
import { customerEmail } from '../../shop/orders/order-rows.js'
import { isNoDraft } from '../../shop/orders/order-reader.js'
import {
  formerCustomerField,
  personErasedField,
  consentField,
  giverFields,
} from '../../shop/orders/order-fields.js'
import type { Shop } from '../../core/shop.js'
import { consentColumns, consentValues, readProofs, keptProofsSlug } from './checkout-consent.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'

/** Small enough for memory, and for a database that has other work. */
const pageSize = 500

const titles = [
  ...['order', 'id', 'email', 'channel', 'phone', 'given'],
  ...['at', 'version', 'wording', 'page'],
]

/** Reads the proofs of all orders, also of those in the trash and of deleted ones. */
export function createConsentProofs(shop: Shop) {
  const { database, options: names, customersSlug } = shop
  const { collections, fields } = names
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const number = columnOrNull(orders, fields.number)
  const kept = database.table(keptProofsSlug)
  const keptId = column(kept, 'id')
  const json = jsonDialect(database)
  const giver = sql`coalesce(nullif(${columnOrNull(orders, giverFields.email)}, ''),
    ${customerEmail({ database, options: names, customersSlug })})`

  const readOrders = (which: SQL, connection: Connection = database): Promise<Row[]> =>
    connection.rows(sql`select ${id} as "id", ${number} as "number",
        ${referenceOf(orders, names)} as "reference",
        ${giver} as "email",
        ${columnOrNull(orders, fields.customer)} as "customer",
        ${column(orders, formerCustomerField)} as "formerCustomer",
        ${json.array(consentColumns(orders))} as "consent"
      from ${orders} where ${isAsked(orders)} and ${column(orders, personErasedField)} is null
        and ${isNoDraft(shop)} and ${which}
      order by ${id} limit ${pageSize}`)

  const ordersAfter = (last: Row | undefined): Promise<Row[]> =>
    readOrders(last === undefined ? sql`true` : sql`${id} > ${last.id}`)

  /** A proof counts only once its order is gone: the deletion may have failed after it was kept. */
  const keptAfter = (last: Row | undefined): Promise<Row[]> =>
    database.rows(sql`select ${keptId} as "key", ${column(kept, 'order')} as "id",
        ${column(kept, 'reference')} as "reference", ${column(kept, 'email')} as "email",
        ${json.array(consentColumns(kept))} as "consent"
      from ${kept} where not exists (select 1 from ${orders} where ${number} = ${keptId})
        and ${last === undefined ? sql`true` : sql`${keptId} > ${last.key}`}
      order by ${keptId} limit ${pageSize}`)

  return {
    /** The lines of a CSV file, read page by page as they are taken. */
    async *lines(): AsyncGenerator<string, void> {
      // The mark tells spreadsheets that the text is UTF-8.
      yield `\uFEFF${csvLine(titles)}`
      for (const pageAfter of [ordersAfter, keptAfter]) {
        let page: Row[] = []
        do {
          page = await pageAfter(page.at(-1))
          if (page.length > 0) yield page.map((row) => linesOf(row, json.parse)).join('')
        } while (page.length === pageSize)
      }
    },
    /** In the transaction of the request that deletes the order. */
    async keep(orderId: DocumentId, req: PayloadRequest): Promise<void> {
      const connection = await database.within(req)
      const [row] = await readOrders(sql`${id} = ${orderId}`, connection)
      if (row === undefined) return
      await connection.insertIgnoring(kept, {
        id: textOrNumber(row.number) || `order ${orderId}`,
        order: textOrNumber(row.id),
        reference: textOrNumber(row.reference),
        email: textOrNumber(row.email),
        ...(customersSlug !== undefined && { customer: row.customer }),
        [formerCustomerField]: row.formerCustomer,
        ...consentValues(readProofs(json.parse(row.consent))),
      })
    },
  }
}

/** False in a store that has a field `consent` of its own. */
const isAsked = (table: PayloadTable): SQL =>
  sql`coalesce(${columnOrNull(table, `${consentField}.email.wording`)},
    ${columnOrNull(table, `${consentField}.sms.wording`)}) is not null`

function linesOf(
  { id, reference, email, consent }: Row,
  parse: ReturnType<typeof jsonDialect>['parse'],
): string {
  const proofs = Object.entries(readProofs(parse(consent)))
  return proofs
    .map(([channel, { given, at, version, wording, page, phone }]) =>
      csvLine([
        ...[
          textOrNumber(reference),
          textOrNumber(id),
          textOrNumber(email),
          channel,
          csvPhone(phone),
          given ? 'yes' : 'no',
        ],
        ...[at?.toISOString() ?? '', version, wording, page],
      ]),
    )
    .join('')
}

/**
 * RFC 4180. A spreadsheet runs a value that begins like a formula, so such a value gets an apostrophe in front; so does
 * what follows another separator than the comma, for which a spreadsheet ignores our quotes.
 */
export const csvLine = (values: readonly (string | CsvNumber)[]): string =>
  `${values.map(csvValue).join(',')}\r\n`

/** A value that cannot be a formula, although it begins like one. */
interface CsvNumber {
  number: string
}

/**
 * A phone number as E.164. Any other text may hold anything, so a blank counts as a separator in it; a
 * merchant's wording such as "Tea - coffee" stays as it is.
 */
function csvPhone(text: string): string | CsvNumber {
  const number = readPhoneNumber(text)
  return number === undefined ? text.replace(formulaAfterBlank, "$1'") : { number }
}

const formulaAfterBlank = /(\s)(?="*[=+\-@＝＋－＠])/gu

const beginsFormula = /(^|[,;|\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])/gu

const csvValue = (value: string | CsvNumber): string => {
  if (typeof value !== 'string') return `"${value.number}"`
  const guarded = value.replace(beginsFormula, "$1'").replace(/^(?=[\t\r\n])/u, "'")
  return `"${guarded.replaceAll('"', '""')}"`
}
