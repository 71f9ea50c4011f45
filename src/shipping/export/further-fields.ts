import { sql, type SQL } from 'drizzle-orm'
import { column, optionalColumn, type Row } from '../../core/database/database.js'
import { jsonDialect, namedValues, type Values } from '../../core/database/json-rows.js'
import {
  dimensionUnits,
  type Dimensions,
  type LineItem,
  type Order,
} from '../../shop/orders/order.js'
import type { OrderReader } from '../../shop/orders/order-reader.js'
import type { FurtherColumns } from '../../shop/orders/order-rows.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingSettings } from '../shipping-settings.js'

/** The fields of an order that a setting of the same name fills. */
const filledFields = [
  'customField1',
  'customField2',
  'customField3',
  'requestedWarehouse',
  'source',
] as const

/** What the export adds to the elements that the interface names. */
export type FurtherFields = Pick<
  ShippingSettings,
  'furtherFields' | 'dimensions' | (typeof filledFields)[number]
>

const itemFields = [
  'id',
  'location',
  'itemLength',
  'itemWidth',
  'itemHeight',
  'dimensionUnit',
] as const

/** The reader, whose orders also have ShipStation's further fields when the merchant wants them. */
export function withFurtherFields(
  shop: Shop,
  reader: OrderReader,
  settings: FurtherFields,
): OrderReader {
  if (!settings.furtherFields) return reader
  const { database, options } = shop
  const orders = database.table(options.collections.orders)
  const json = jsonDialect(database)
  const named: FurtherColumns = Object.fromEntries(
    filledFields.flatMap((name) => {
      const field = settings[name] === '' ? undefined : optionalColumn(orders, settings[name])
      return field === undefined ? [] : [[name, field]]
    }),
  )
  const columns = { ...named, lines: linesOf(shop) }
  return {
    ...reader,
    read: async (ids) => {
      const found = await reader.readWith(ids, columns)
      return found.map(({ order, row }) => {
        const lines = json.parse(row.lines) as Values[]
        return filled(
          order,
          row,
          lines.map((line) => namedValues(itemFields, line)),
        )
      })
    },
  }
}

function linesOf({ database, options: { collections, fields } }: Shop): SQL {
  const items = database.table(collections.orders, fields.items)
  const { array, list } = jsonDialect(database)
  const values = itemFields.map((name) => optionalColumn(items, name) ?? sql`null`)
  const isOfOrder = sql`${column(items, '_parentID')} = ${column(database.table(collections.orders), 'id')}`
  return list(array(values), sql`${items} where ${isOfOrder}`, column(items, '_order'))
}

/** What the store's own `orders.map` gives comes before what is stored. */
function filled(order: Order, row: Row, lines: readonly Row[]): Order {
  const values = filledFields.flatMap((name) => {
    const value = row[name]
    return value === null || value === undefined || order[name] ? [] : [[name, String(value)]]
  })
  const stored = new Map(lines.map((line) => [line.id, line]))
  return {
    ...order,
    ...(Object.fromEntries(values) as Partial<Order>),
    items: order.items.map((item) => ({ ...lineFields(stored.get(item.id)), ...item })),
  }
}

function lineFields(line: Row | undefined): Pick<LineItem, 'location' | 'dimensions'> {
  const dimensions = line && dimensionsOf(line)
  return {
    ...(typeof line?.location === 'string' && { location: line.location }),
    ...(dimensions && { dimensions }),
  }
}

/** Undefined when a side or the unit is missing, as half a size is none. */
function dimensionsOf(line: Row): Dimensions | undefined {
  const unit = dimensionUnits.find((known) => known === line.dimensionUnit)
  const sides = [line.itemLength, line.itemWidth, line.itemHeight]
  if (unit === undefined || sides.includes(null)) return undefined
  const [length = 0, width = 0, height = 0] = sides.map(Number)
  return { length, width, height, unit }
}
