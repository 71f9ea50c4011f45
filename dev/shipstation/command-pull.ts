import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { OrderFilter, PullCommand } from './command-line.ts'
import { minuteText } from './date-text.ts'
import { counted, ordersTable, statusCounts } from './orders-table.ts'
import type { Pull, ShipStation } from './stand-in.ts'
import type { Screen } from './screen.ts'

const MAX_ROWS = 20

export async function pullCommand(
  command: PullCommand,
  { shipStation, screen }: { shipStation: ShipStation; screen: Screen },
): Promise<void> {
  if (command.isPageSizeGiven) {
    screen.line("--page-size is ignored: the page size is the store's setting")
  }
  const startedAt = performance.now()
  const pull = await pullWithProgress(command.filter, { shipStation, screen })
  const seconds = (performance.now() - startedAt) / 1000

  await writeFiles(command, pull)
  if (pull.orders.length > 0) {
    for (const row of ordersTable(pull.orders, MAX_ROWS)) screen.line(row)
  }
  const sum = [
    counted(pull.orders.length, 'order'),
    counted(pull.pages, 'page'),
    `${seconds.toFixed(1)} s`,
    statusCounts(pull.orders),
  ]
  screen.line(sum.filter((part) => part !== '').join(' · '))
  if (pull.pages > 0) {
    screen.line('The shop leaves out orders that are not complete: its admin says which and why,')
    screen.line('under Storeconnect, Skipped orders')
  }
}

/** Also the first half of `ship --all`. */
export async function pullWithProgress(
  filter: OrderFilter,
  { shipStation, screen }: { shipStation: ShipStation; screen: Screen },
): Promise<Pull> {
  screen.line(`Orders changed from ${windowText(filter.from)} to ${windowText(filter.to)}`)
  const progress = screen.progress()
  try {
    return await shipStation.pull({
      ...filter,
      onPage: ({ page, pages, orders }) => {
        if (pages === 0) return
        progress.step(page, pages, 'pages')
        progress.plainLine(`page ${page} of ${pages}: ${counted(orders.length, 'order')}`)
      },
    })
  } finally {
    progress.stop()
  }
}

const windowText = (edge: Date | string): string =>
  typeof edge === 'string' ? `"${edge}"` : `${minuteText(edge)} UTC`

async function writeFiles({ jsonFile, xmlFolder }: PullCommand, pull: Pull): Promise<void> {
  if (jsonFile !== undefined) {
    await writeFile(jsonFile, `${JSON.stringify(pull.orders, null, 2)}\n`)
  }
  if (xmlFolder === undefined) return
  await mkdir(xmlFolder, { recursive: true })
  for (const { page, xml } of pull.documents) {
    await writeFile(join(xmlFolder, `page-${String(page).padStart(4, '0')}.xml`), xml)
  }
}
