import { Problem } from '../../errors.js'
import { textParameter, type ParameterTree } from '../../http/parameters.js'
import type { PurchasableId } from '../../store/catalogue.js'
import { lineLimit, quantityLimit, type CartChange } from './cart-change.js'

/** What a post asks of a cart, before anybody has looked at the catalogue. */
export interface AskedCartChange extends Pick<CartChange, 'clear' | 'quantities'> {
  additions: { field: string; ids: PurchasableId; quantity: number }[]
}

/**
 * Reads `productId` or `variantId` with `qty`; the same below `items[…]` for several;
 * `lineItems[<line id>][qty]` and `[remove]`; and `clearLineItems`.
 *
 * @throws {Problem} PARAMETER_INVALID, which names the field.
 */
export function readCartChange(tree: ParameterTree): AskedCartChange {
  const items = entriesOf(tree, 'items')
  // Each is looked up in the catalogue.
  if (items.length > lineLimit) throw invalid(`One post adds at most ${lineLimit} things.`)
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

/** Whether the post asks for anything. */
export const isEmptyChange = ({ clear, quantities, additions }: AskedCartChange): boolean =>
  !clear && quantities.length === 0 && additions.length === 0

const hasIds = (tree: ParameterTree) =>
  idText(tree, 'productId', '') !== undefined || idText(tree, 'variantId', '') !== undefined

function readAddition(tree: ParameterTree, path: string): AskedCartChange['additions'][number] {
  const ids = {
    productId: idText(tree, 'productId', path),
    variantId: idText(tree, 'variantId', path),
  }
  const name = ids.variantId === undefined ? 'productId' : 'variantId'
  const field = fieldName(path, name)
  if (ids.productId === undefined && ids.variantId === undefined) {
    throw invalid(`The parameter "${field}" is missing.`)
  }
  return { field, ids, quantity: readQuantity(tree, path) ?? 1 }
}

function lineQuantity(tree: ParameterTree, path: string): number {
  if (isOn(textAt(tree, 'remove', path))) return 0
  const quantity = readQuantity(tree, path)
  if (quantity === undefined) throw invalid(`The parameter "${path}[qty]" is missing.`)
  return quantity
}

function readQuantity(tree: ParameterTree, path: string): number | undefined {
  const text = textAt(tree, 'qty', path)?.trim()
  if (text === undefined || text === '') return undefined
  const quantity = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(quantity <= quantityLimit)) {
    throw invalid(
      `The parameter "${fieldName(path, 'qty')}" must be a whole number from 0 to ${quantityLimit}.`,
    )
  }
  return quantity
}

/** The parameter trees below a list or an object of them. */
function entriesOf(tree: ParameterTree, name: string) {
  const group = tree[name]
  if (group === undefined) return []
  if (typeof group !== 'object' || group === null) {
    throw invalid(`The parameter "${name}" must be nested.`)
  }
  return Object.entries(group).map(([key, value]: [string, unknown]) => {
    const field = `${name}[${key}]`
    if (typeof value !== 'object' || value === null) {
      throw invalid(`The parameter "${field}" must be nested.`)
    }
    return { field, name: key, value: value as ParameterTree }
  })
}

/** The text of an id; a blank one counts as absent, as an empty choice of a form is posted. */
const idText = (tree: ParameterTree, name: string, path: string): string | undefined =>
  textAt(tree, name, path)?.trim() || undefined

function textAt(tree: ParameterTree, name: string, path: string): string | undefined {
  const value = tree[name]
  if (typeof value === 'object' && value !== null) {
    throw invalid(`The parameter "${fieldName(path, name)}" must be one text.`)
  }
  return textParameter(tree, name)
}

const fieldName = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`)

/** A box that is ticked posts `1` or `on`. */
const isOn = (text: string | undefined): boolean =>
  text !== undefined && !['', '0', 'false'].includes(text.trim().toLowerCase())

const invalid = (message: string) => new Problem('PARAMETER_INVALID', { message })
