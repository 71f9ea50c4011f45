import type { ExportedOrder } from './exported-orders.js'
import { printable, shortened } from './printable.js'

interface Column {
  title: string
  isNumber: boolean
  cell: (order: ExportedOrder) => string
}

const COLUMNS: readonly Column[] = [
  { title: 'number', isNumber: false, cell: (order) => order.orderNumber },
  { title: 'date (UTC)', isNumber: false, cell: (order) => order.orderDate },
  { title: 'status', isNumber: false, cell: (order) => order.orderStatus },
  { title: 'ship to', isNumber: false, cell: (order) => shipToText(order) },
  { title: 'items', isNumber: true, cell: (order) => String(itemCount(order)) },
  { title: 'total', isNumber: true, cell: (order) => order.orderTotal.toFixed(2) },
]

const MAX_CELL_LENGTH = 36

/** The first orders as a table, one text a line. */
export function ordersTable(orders: readonly ExportedOrder[], maxRows: number): string[] {
  const shown = orders.slice(0, maxRows)
  const rows = shown.map((order) =>
    COLUMNS.map(({ cell }) => shortened(printable(cell(order)), MAX_CELL_LENGTH)),
  )
  const widths = COLUMNS.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => length(row[at] ?? ''))),
  )
  const aligned = (cells: readonly string[]): string =>
    COLUMNS.map(({ isNumber }, at) => {
      const cell = cells[at] ?? ''
      const space = ' '.repeat((widths[at] ?? 0) - length(cell))
      return isNumber ? space + cell : cell + space
    })
      .join('  ')
      .trimEnd()

  const lines = [aligned(COLUMNS.map(({ title }) => title)), ...rows.map(aligned)]
  const hidden = orders.length - shown.length
  return hidden > 0 ? [...lines, `… and ${hidden} more`] : lines
}

/** `30 processing, 12 shipped`: the most frequent first. */
export function statusCounts(orders: readonly ExportedOrder[]): string {
  const counts = new Map<string, number>()
  for (const { orderStatus } of orders) counts.set(orderStatus, (counts.get(orderStatus) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([status, count]) => `${count} ${printable(status)}`)
    .join(', ')
}

/** `1 page`, `2 pages`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

const shipToText = ({ recipient: { Name, City, Country } }: ExportedOrder): string =>
  [Name, City, Country].filter((part) => part !== '').join(', ')

/** What is in the parcel: a discount is a line of the order, but no thing. */
const itemCount = ({ items }: ExportedOrder): number =>
  items.reduce((sum, item) => (item.isAdjustment ? sum : sum + item.quantity), 0)

const length = (text: string): number => [...text].length
