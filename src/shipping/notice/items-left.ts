/** A line of an order as ShipStation got it. */
export interface OrderedLine {
  id?: string
  sku: string
  name: string
  quantity: number
}

/** A line of a parcel as ShipStation names it. */
export interface ParcelLine {
  /** The id of the order's line, which ShipStation sends back where it got it. */
  lineItemId?: string
  sku: string
  name: string
  quantity: number
}

// The export cuts a SKU there.
const skuLength = 50

/**
 * How many items of an order are in none of its parcels. A parcel's line belongs to the order's line of
 * its id; else to those of its SKU, or of its name when it has no SKU, in their order.
 */
export function itemsLeft(
  ordered: readonly OrderedLine[],
  parcels: readonly (readonly ParcelLine[])[],
): number {
  const left = ordered.map(({ quantity }) => quantity)
  const take = (index: number, quantity: number): number => {
    const taken = Math.min(left[index] ?? 0, quantity)
    left[index] = (left[index] ?? 0) - taken
    return taken
  }
  const places = new Map(ordered.map(({ id }, index) => [id, index]))
  const lines = parcels.flat().filter(({ quantity }) => quantity > 0)
  const placeOf = ({ lineItemId }: ParcelLine) =>
    lineItemId === undefined ? undefined : places.get(lineItemId)
  for (const line of lines) {
    const place = placeOf(line)
    if (place !== undefined) take(place, line.quantity)
  }
  for (const line of lines.filter((each) => placeOf(each) === undefined)) {
    let { quantity } = line
    ordered.forEach((each, index) => {
      if (isSameProduct(each, line)) quantity -= take(index, quantity)
    })
  }
  return left.reduce((sum, quantity) => sum + quantity, 0)
}

const isSameProduct = (ordered: OrderedLine, line: ParcelLine): boolean => {
  const sku = ordered.sku.slice(0, skuLength).trim()
  return sku === '' || line.sku === ''
    ? sku === line.sku && ordered.name.trim() === line.name
    : sku === line.sku
}
