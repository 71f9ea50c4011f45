import { sql } from 'drizzle-orm'
import { createCachedValue } from '../../core/database/cached-value.js'
import { column, optionalColumn } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { idOf, valueAt } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import { confirmationOf } from './confirm-payment.js'
import { furthestBackMs } from './payment-tables.js'

/** The longest value of `metadata` that Stripe takes. The extension's adapter puts the cart into one, as JSON. */
const longestValue = 500

/** From this part of it on, shoppers come close. */
const closeFrom = 0.75

const freshForMs = 60 * 60_000

type Line = Readonly<Record<string, unknown>>

/** A cart's line as the extension's adapter sends it. */
const sentLine = ({ product, variant, ...others }: Line): object => ({
  ...others,
  product: idOf(product),
  ...(idOf(variant) !== undefined && { variant: idOf(variant) }),
})

/** How many lines like the longest of these fit, where these come close to what Stripe takes; undefined where not. */
export function linesThatFit(lines: readonly Line[]): number | undefined {
  const sent = lines.map((line) => JSON.stringify(sentLine(line)))
  const length = JSON.stringify(lines.map(sentLine)).length
  if (length < longestValue * closeFrom) return undefined
  const longest = Math.max(...sent.map((line) => line.length))
  // Brackets around them, and commas between them.
  return Math.floor((longestValue - 1) / (longest + 1))
}

/**
 * Reads how many lines a cart may have at the extension's adapter for Stripe, where a cart of the last 30 days comes close to that;
 * undefined where none does, and in a shop without this adapter.
 */
export function createCartLimit(shop: Shop): () => Promise<number | undefined> {
  const { payload, database, effects, options } = shop
  const { carts: slug, transactions } = options.collections
  const payments = database.optionalTable(transactions)
  const [carts, lines] = [database.optionalTable(slug), database.optionalTable(slug, 'items')]
  const isUsed =
    confirmationOf(payload, 'stripe') !== undefined &&
    payments !== undefined &&
    optionalColumn(payments, 'stripe.paymentIntentID') !== undefined

  async function read(): Promise<number | undefined> {
    if (!isUsed || carts === undefined || lines === undefined) return undefined
    const after = new Date(effects.now().getTime() - furthestBackMs).toISOString()
    const parent = column(lines, '_parentID')
    const [row] = await database.rows(sql`select ${parent} as "id" from ${lines}
      join ${carts} on ${column(carts, 'id')} = ${parent} where ${column(carts, 'updatedAt')} > ${after}
      group by ${parent} order by count(*) desc limit 1`)
    if (row === undefined) return undefined
    const id = row.id as DocumentId
    const longest = await payload.findByID({ collection: slug, id, depth: 0, disableErrors: true })
    return linesThatFit((valueAt(longest, 'items') as Line[] | undefined) ?? [])
  }

  const limit = createCachedValue(read, effects.now, freshForMs)
  return () => limit.get()
}
