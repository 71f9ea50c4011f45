import type { CartLine } from './cart.js'
import { invalidParameter } from '../core/http/parameter-tree.js'
import type { Purchasable, PurchasableId } from './purchasables.js'
import type { ChangingCart } from './carts.js'
import { textParameter, type ParameterTree } from '../core/http/parameters.js'

/** The largest quantity of one line. */
const quantityLimit = 9999

/** The most lines of a cart; it is limited because every write of a cart reads the product of each line. */
export const lineLimit = 100

/** The changes that a post asks for, in the order in which they are made. Error messages name `field`. */
export interface CartChange {
  /** Empties the cart first. */
  clear: boolean
  /** Sets the quantity of a line; 0 removes it. */
  quantities: { field: string; lineId: string; quantity: number }[]
  /** Adds to the line of the same product and variant, or makes a new line. */
  additions: { field: string; thing: Purchasable; quantity: number }[]
}

/** The changes that a post asks for, before its products are looked up. */
export interface AskedCartChange extends Pick<CartChange, 'clear' | 'quantities'> {
  additions: { field: string; ids: PurchasableId; quantity: number }[]
}

/**
 * Reads `productId` or `variantId` with `qty`, and the same below `items[…]` for several products;
 * `lineItems[<line id>][qty]` and `[remove]`; and `clearLineItems`.
 *
 * @throws {Problem} PARAMETER_INVALID, which names the field.
 */
export function readCartChange(tree: ParameterTree): AskedCartChange {
  const items = entriesOf(tree, 'items')
  // The number is limited, as each one is looked up.
  if (items.length > lineLimit)
    throw invalidParameter(`One post adds at most ${lineLimit} products.`)
  return {
    clear: isOn(textParameter(tree, 'clearLineItems')),
    quantities: entriesOf(tree, 'lineItems').map(({ field, name, value }) => ({
      field,
      lineId: name,
      quantity: lineQuantity(value, field),
    })),
    additions: [
      ...(hasIds(tree) ? [readAddition(tree, '')] : []),
      ...items.map(({ field, value }) => readAddition(value, field)),
    ],
  }
}

/** Whether the post asks for no change. */
export const isEmptyChange = ({ clear, quantities, additions }: AskedCartChange): boolean =>
  !clear && quantities.length === 0 && additions.length === 0

const hasIds = (tree: ParameterTree) =>
  idText(tree, 'productId', '') !== undefined || idText(tree, 'variantId', '') !== undefined

function readAddition(tree: ParameterTree, path: string): AskedCartChange['additions'][number] {
  return { ...readPurchasableId(tree, path), quantity: readQuantity(tree, path) ?? 1 }
}

/**
 * Reads `productId` or `variantId` below a path, and which of the two counts.
 *
 * @throws {Problem} PARAMETER_INVALID, which names the field.
 */
export function readPurchasableId(
  tree: ParameterTree,
  path: string,
): { field: string; ids: PurchasableId } {
  const ids = {
    productId: idText(tree, 'productId', path),
    variantId: idText(tree, 'variantId', path),
  }
  const name = ids.variantId === undefined ? 'productId' : 'variantId'
  const field = fieldName(path, name)
  if (ids.productId === undefined && ids.variantId === undefined) {
    throw invalidParameter(`The parameter "${field}" is missing.`)
  }
  return { field, ids }
}

function lineQuantity(tree: ParameterTree, path: string): number {
  if (isOn(textAt(tree, 'remove', path))) return 0
  const quantity = readQuantity(tree, path)
  if (quantity === undefined) throw invalidParameter(`The parameter "${path}[qty]" is missing.`)
  return quantity
}

function readQuantity(tree: ParameterTree, path: string): number | undefined {
  const text = textAt(tree, 'qty', path)?.trim()
  if (text === undefined || text === '') return undefined
  const quantity = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(quantity <= quantityLimit)) {
    throw invalidParameter(
      `The parameter "${fieldName(path, 'qty')}" must be a whole number from 0 to ${quantityLimit}.`,
    )
  }
  return quantity
}

/** The members of a list or object, each of which must be a list or object too. */
function entriesOf(tree: ParameterTree, name: string) {
  const group = tree[name]
  if (group === undefined) return []
  if (typeof group !== 'object' || group === null) {
    throw invalidParameter(`The parameter "${name}" must be nested.`)
  }
  return Object.entries(group).map(([key, value]: [string, unknown]) => {
    const field = `${name}[${key}]`
    if (typeof value !== 'object' || value === null) {
      throw invalidParameter(`The parameter "${field}" must be nested.`)
    }
    return { field, name: key, value: value as ParameterTree }
  })
}

/** Undefined for a blank id, which a form posts when nothing is chosen. */
const idText = (tree: ParameterTree, name: string, path: string): string | undefined =>
  textAt(tree, name, path)?.trim() || undefined

function textAt(tree: ParameterTree, name: string, path: string): string | undefined {
  const value = tree[name]
  if (typeof value === 'object' && value !== null) {
    throw invalidParameter(`The parameter "${fieldName(path, name)}" must be one text.`)
  }
  return textParameter(tree, name)
}

const fieldName = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`)

/** False for a blank text, `0` and `false`; a ticked box posts `1` or `on`. */
const isOn = (text: string | undefined): boolean =>
  text !== undefined && !['', '0', 'false'].includes(text.trim().toLowerCase())

/**
 * The cart's lines after a change.
 *
 * @throws {Problem} PARAMETER_INVALID, which names the field that asks for something impossible.
 */
export function changedLines(cart: ChangingCart, change: CartChange): CartLine[] {
  const kept = change.clear ? [] : withQuantities(cart.lines, change.quantities)
  const lines = change.additions.reduce(
    (sum, addition) => withAddition(sum, addition, cart.currency),
    kept,
  )
  if (lines.length > lineLimit && lines.length > cart.lines.length) {
    throw invalidParameter(`A cart has at most ${lineLimit} lines.`)
  }
  return lines
}

function withQuantities(
  lines: readonly CartLine[],
  quantities: CartChange['quantities'],
): CartLine[] {
  for (const { field, lineId } of quantities) {
    if (!lines.some(({ id }) => id === lineId)) {
      throw invalidParameter(`The parameter "${field}" names a line that is not in the cart.`)
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
  // Without a price, the extension computes NaN as the whole cart's subtotal.
  if (thing.prices[currency] === undefined) {
    throw invalidParameter(
      `The parameter "${field}" names a product without a price in ${currency}.`,
    )
  }
  const { productId, variantId } = thing
  const there = lines.find((line) => line.productId === productId && line.variantId === variantId)
  const sum = (there?.quantity ?? 0) + quantity
  if (sum > quantityLimit) {
    throw invalidParameter(
      `The parameter "${field}" asks for more than ${quantityLimit} of one product.`,
    )
  }
  return there === undefined
    ? [...lines, { id: undefined, productId, variantId, quantity }]
    : lines.map((line) => (line === there ? { ...line, quantity: sum } : line))
}
