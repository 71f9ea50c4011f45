import { sql } from 'drizzle-orm'
import type { BasePayload, Endpoint } from 'payload'
import {
  column,
  columnOrNull,
  optionalColumn,
  type Database,
  type Row,
} from '../database/database.js'
import { jsonDialect } from '../database/json-rows.js'
import { customerEmail } from '../orders/order-rows.js'
import { orderCondition } from '../orders/order-reader.js'
import type { ShopNames } from '../orders/shop-names.js'
import { adminEndpoint, type EndpointAccess } from '../payload/admin-endpoint.js'
import { consentColumns, consentField, readProofs } from './checkout-consent.js'
import { csvLine } from './csv-line.js'
import { consentProofPath } from './consent-proof-path.js'

/** Small enough for memory, and for a database that has other work. */
const pageSize = 500

const titles = [
  ...['order', 'id', 'email', 'channel', 'phone', 'given'],
  ...['at', 'version', 'wording', 'page'],
]

interface ConsentProofParts {
  database: Database
  names: ShopNames
  customersSlug: string | undefined
}

export type ConsentProofs = ReturnType<typeof createConsentProofs>

/** The proofs of all orders as lines of a CSV file, read page by page as they are taken. */
export function createConsentProofs({ database, names, customersSlug }: ConsentProofParts) {
  const { collections, fields } = names
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const asked = ['email', 'sms'].flatMap(
    (channel) => optionalColumn(orders, `${consentField}.${channel}.wording`) ?? [],
  )
  const isAsked =
    asked.length === 0
      ? sql`false`
      : sql`(${sql.join(
          asked.map((wording) => sql`${wording} is not null`),
          sql` or `,
        )})`
  const json = jsonDialect(database)

  const readPage = (behind: unknown): Promise<Row[]> =>
    database.rows(sql`select ${id} as "id", ${columnOrNull(orders, fields.reference)} as "reference",
        ${customerEmail(database, names, customersSlug)} as "email",
        ${json.array(consentColumns(orders))} as "consent"
      from ${orders} where ${isAsked} and ${orderCondition(orders)}
        and ${behind === undefined ? sql`true` : sql`${id} > ${behind}`}
      order by ${id} limit ${pageSize}`)

  return async function* lines(): AsyncGenerator<string, void> {
    // The mark tells spreadsheets that the text is UTF-8.
    yield `\uFEFF${csvLine(titles)}`
    let behind: unknown
    for (;;) {
      const page = await readPage(behind)
      if (page.length > 0) yield page.map((row) => linesOf(row, json.parse)).join('')
      if (page.length < pageSize) return
      behind = page.at(-1)?.id
    }
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function linesOf(
  { id, reference, email, consent }: Row,
  parse: ReturnType<typeof jsonDialect>['parse'],
): string {
  const proofs = Object.entries(readProofs(parse(consent)))
  return proofs
    .map(([channel, { given, at, version, wording, page, phone }]) =>
      csvLine([
        ...[textOf(reference), textOf(id), textOf(email), channel, phone, given ? 'yes' : 'no'],
        ...[at?.toISOString() ?? '', version, wording, page],
      ]),
    )
    .join('')
}

interface ProofAccess extends EndpointAccess {
  partsOf: (payload: BasePayload) => { consentProofs: ConsentProofs }
}

/** `GET …/storeconnect/consent-proof.csv`: what shoppers agreed to, one line for each answer. */
export const consentProofEndpoint = ({ partsOf, ...access }: ProofAccess): Endpoint =>
  adminEndpoint(access, {
    method: 'get',
    path: consentProofPath,
    answer: ({ payload }) => {
      const lines = partsOf(payload).consentProofs()
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = await lines.next()
          if (next.done) controller.close()
          else controller.enqueue(encoder.encode(next.value))
        },
        cancel: async () => void (await lines.return(undefined)),
      })
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="consent-proof.csv"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      }
      return Promise.resolve(new Response(body, { headers }))
    },
  })
