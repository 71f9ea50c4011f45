import { titlesOf, valueAt } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import type { ProblemPayment } from './payment-problem.js'
import { amountText } from './payment-tables.js'

/** A page shows the oldest. */
const shownAtMost = 20

/** A payment with which something is wrong, as a merchant sees it. */
export interface OpenPayment extends Pick<ProblemPayment, 'id' | 'problem' | 'begunAt'> {
  /** With its currency. */
  amount: string
  /** The email of the person; blank when it is not known. */
  person: string
  /** What was bought, such as `2 × Green tea`. */
  lines: string[]
}

/** Reads the payments with which something is wrong, with the person and what was bought, the oldest first. */
export async function readOpenPayments(
  { payload, options: { collections, productFields } }: Shop,
  all: readonly ProblemPayment[],
): Promise<OpenPayment[]> {
  const problems = all.slice(0, shownAtMost)
  if (problems.length === 0) return []
  const where = { id: { in: problems.map(({ id }) => id) } }
  const collection = collections.transactions
  const { docs } = await payload.find({ collection, where, depth: 1, pagination: false })
  const documents = new Map<unknown, unknown>(docs.map((document) => [document.id, document]))
  const lineOf = (line: unknown): string => {
    const named = [valueAt(line, `product.${productFields.name}`), valueAt(line, 'variant.title')]
    return [`${String(valueAt(line, 'quantity'))} ×`, ...named.flatMap(titlesOf)].join(' ')
  }
  return problems.map(({ id, problem, begunAt, amount, currency }) => {
    const document = documents.get(id)
    const email = valueAt(document, 'customer.email') ?? valueAt(document, 'customerEmail')
    const items = valueAt(document, 'items')
    return {
      ...{ id, problem, begunAt },
      amount: amountText(amount, currency),
      person: typeof email === 'string' ? email : '',
      lines: Array.isArray(items) ? items.map(lineOf) : [],
    }
  })
}
