import { createLocalReq, type BasePayload, type PayloadRequest } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { findField } from './field-search.js'
import type { Positions, Values } from './json-dialect.js'
import { snapshotLines } from './line-snapshot.js'

export interface BareLinesParts {
  payload: BasePayload
  options: Pick<ResolvedOptions, 'collections' | 'fields' | 'productFields'>
  /** Where the values of an order stand, and of one of its lines. */
  at: Positions
  lineAt: Positions
}

/** Completes orders that `order-rows.ts` has read; those that need nothing come back as they are. */
export type CompleteLines = (
  orders: readonly Values[],
  within: PayloadRequest | undefined,
) => Promise<readonly Values[]>

/**
 * Lines of orders from before Storeconnect kept nothing of what they sold. What they miss is read
 * from the products as they are now, with two queries for all orders of a currency.
 */
export function createBareLines(parts: BareLinesParts): CompleteLines {
  const { payload, options, at, lineAt } = parts
  const { collections, fields, productFields: names } = options
  const orderFields = payload.collections[collections.orders]?.config.fields ?? []
  const items = findField(orderFields, fields.items)
  const lineFields = items && 'fields' in items ? items.fields : []

  const linesOf = (order: Values) => order[at.items ?? -1] as Values[]
  const isBare = (line: Values) =>
    isThere(line[lineAt.product ?? -1]) &&
    !(isThere(line[lineAt.name ?? -1]) && isThere(line[lineAt.unitPrice ?? -1]))

  return async (orders, within) => {
    const bare = orders.flatMap((order) =>
      linesOf(order)
        .filter(isBare)
        .map((line) => ({ line, currency: order[at.currency ?? -1] })),
    )
    if (bare.length === 0) return orders
    const req = within ?? (await createLocalReq({}, payload))
    const complete = new Map<Values, Values>()
    for (const currency of new Set(bare.map((line) => line.currency))) {
      const lines = bare.filter((line) => line.currency === currency).map(({ line }) => line)
      const documents = lines.map((line) => toDocument(line, lineAt))
      const full = await snapshotLines(documents, { currency, lineFields, names, req })
      lines.forEach((line, index) => complete.set(line, toValues(full[index], lineAt)))
    }
    return orders.map((order) =>
      order.with(
        at.items ?? -1,
        linesOf(order).map((line) => complete.get(line) ?? line),
      ),
    )
  }
}

const isThere = (value: unknown) => value !== null && value !== ''

type LineDocument = Record<string, unknown>

function toDocument(line: Values, lineAt: Positions): LineDocument {
  const values = Object.entries(lineAt).map(([name, index]) => [name, line[index]] as const)
  const document: LineDocument = Object.fromEntries(values)
  const options = (document.options ?? []) as Values[]
  return { ...document, options: options.map(([name, value]) => ({ name, value })) }
}

function toValues(document: LineDocument = {}, lineAt: Positions): Values {
  const options = (document.options ?? []) as { name: unknown; value: unknown }[]
  const all = { ...document, options: options.map(({ name, value }) => [name, value]) }
  return Object.keys(lineAt).map((name) => (all as LineDocument)[name] ?? null)
}
