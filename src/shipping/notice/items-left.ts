import { lengths, saidBack } from '../xml-text.js'

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

/**
 * How many items of an order are in none of its parcels. A parcel's line belongs to the order's lines of its id, else
 * to those of its SKU, or of its name when it has no SKU.
 */
export function itemsLeft(
  ordered: readonly OrderedLine[],
  parcels: readonly (readonly ParcelLine[])[],
): number {
  const places = ordered.map(({ id, ...line }) => ({ ...said(line), id: saidId(id) }))
  const lines = parcels
    .flat()
    .map(({ lineItemId, ...line }) => ({ ...said(line), id: saidId(lineItemId) }))
  const ids = new Set(places.map(({ id }) => id))
  const isNamed = ({ id }: SaidLine) => id !== undefined && ids.has(id)
  const take = (line: SaidLine, isMeant: (place: SaidLine) => boolean) => {
    let { quantity } = line
    for (const place of places.filter(isMeant)) {
      const taken = Math.max(0, Math.min(place.quantity, quantity))
      place.quantity -= taken
      quantity -= taken
    }
  }
  for (const line of lines.filter(isNamed)) take(line, ({ id }) => id === line.id)
  for (const line of lines.filter((each) => !isNamed(each))) {
    take(line, (place) => isSameProduct(place, line))
  }
  return places.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** A line as a notice says it, for the order's lines too. */
interface SaidLine {
  id: string | undefined
  sku: string
  name: string
  quantity: number
}

const said = ({ sku, name, quantity }: Pick<SaidLine, 'sku' | 'name' | 'quantity'>) => ({
  sku: saidBack(sku, lengths.sku),
  name: saidBack(name, lengths.name),
  quantity,
})

/** Undefined without one. */
const saidId = (id = '') => saidBack(id, lengths.lineId) || undefined

const isSameProduct = (place: SaidLine, line: SaidLine): boolean =>
  place.sku === line.sku && (line.sku !== '' || place.name === line.name)
