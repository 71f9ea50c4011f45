import { isSameThing, type CartLine } from '../../commerce/cart.js'
import { Problem } from '../../errors.js'
import type { Purchasable } from '../../store/catalogue.js'
import type { ChangingCart } from '../../store/carts.js'

/** The most of one thing that a cart takes. */
export const quantityLimit = 9999

/** Every write of a cart reads the product of each line, so a cart has an end. */
export const lineLimit = 100

/** What a post asks of a cart, in the order in which it happens. Fields are named for messages. */
export interface CartChange {
  /** Empties the cart first. */
  clear: boolean
  /** Sets the quantity of a line; 0 removes it. */
  quantities: { field: string; lineId: string; quantity: number }[]
  /** Adds to the line of the same thing, or makes one. */
  additions: { field: string; thing: Purchasable; quantity: number }[]
}

/**
 * The cart's lines after a change.
 *
 * @throws {Problem} PARAMETER_INVALID, which names the field that asks for what cannot be.
 */
export function changedLines(cart: ChangingCart, change: CartChange): CartLine[] {
  const kept = change.clear ? [] : withQuantities(cart.lines, change.quantities)
  const lines = change.additions.reduce(
    (sum, addition) => withAddition(sum, addition, cart.currency),
    kept,
  )
  if (lines.length > lineLimit && lines.length > cart.lines.length) {
    throw invalid(`A cart has at most ${lineLimit} lines.`)
  }
  return lines
}

function withQuantities(
  lines: readonly CartLine[],
  quantities: CartChange['quantities'],
): CartLine[] {
  for (const { field, lineId } of quantities) {
    if (!lines.some(({ id }) => id === lineId)) {
      throw invalid(`The parameter "${field}" names a line that is not in the cart.`)
    }
  }
  const wanted = new Map(quantities.map(({ lineId, quantity }) => [lineId, quantity]))
  return lines
    .map((line) => ({ ...line, quantity: wanted.get(line.id ?? '') ?? line.quantity }))
    .filter(({ quantity }) => quantity > 0)
}

function withAddition(
  lines: readonly CartLine[],
  { field, thing, quantity }: CartChange['additions'][number],
  currency: string,
): CartLine[] {
  if (quantity === 0) return [...lines]
  // The extension would make the whole cart's subtotal NaN.
  if (thing.prices[currency] === undefined) {
    throw invalid(`The parameter "${field}" names what has no price in ${currency}.`)
  }
  const { productId, variantId } = thing
  const there = lines.find((line) => isSameThing(line, thing))
  const sum = (there?.quantity ?? 0) + quantity
  if (sum > quantityLimit) {
    throw invalid(`The parameter "${field}" asks for more than ${quantityLimit} of one thing.`)
  }
  return there === undefined
    ? [...lines, { id: undefined, productId, variantId, quantity }]
    : lines.map((line) => (line === there ? { ...line, quantity: sum } : line))
}

const invalid = (message: string) => new Problem('PARAMETER_INVALID', { message })
