import type { OrderFilter } from './command-line.ts'
import {
  counted,
  ordersTable,
  statusCounts,
} from '../../src/mounts/cli/shipstation/orders-table.js'
import type { Pull, ShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import { minuteText } from '../../src/mounts/cli/shipstation/utc-text.js'

const MAX_ROWS = 20

export interface CommandParts {
  shipStation: Pick<ShipStation, 'pull' | 'ship'>
  /** Writes a line. */
  say: (line: string) => void
}

export async function pullCommand(filter: OrderFilter, parts: CommandParts): Promise<void> {
  const { say } = parts
  const startedAt = performance.now()
  const { orders, pages } = await pullOrders(filter, parts)
  const seconds = (performance.now() - startedAt) / 1000
  if (orders.length > 0) ordersTable(orders, MAX_ROWS).forEach(say)
  const sum = [
    counted(orders.length, 'order'),
    counted(pages, 'page'),
    `${seconds.toFixed(1)} s`,
    statusCounts(orders),
  ]
  say(sum.filter((part) => part !== '').join(' · '))
  if (pages > 0) {
    say('The shop leaves out orders that are not complete: its admin says which and why,')
    say('under Storeconnect, Skipped orders')
  }
}

/** Also the first half of `ship --all`. */
export function pullOrders(filter: OrderFilter, { shipStation, say }: CommandParts): Promise<Pull> {
  say(`Orders changed from ${edgeText(filter.from)} to ${edgeText(filter.to)}`)
  return shipStation.pull({
    ...filter,
    onPage: ({ page, pages, orders }) => {
      if (pages > 0) say(`page ${page} of ${pages}: ${counted(orders.length, 'order')}`)
    },
  })
}

const edgeText = (edge: Date | string): string =>
  typeof edge === 'string' ? `"${edge}"` : `${minuteText(edge)} UTC`
