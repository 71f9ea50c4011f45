import type { DatabaseKind } from '../test/support/store-config.js'
import { exportPage } from './export-arms.js'
import { processKib } from './process-memory.js'
import { openBenchStore } from './stores.js'

// Run by run.ts: pulls pages from a store that is there, and prints the process's peak memory.
const [kind = 'sqlite', url = '', pages = '1', pageSize = '500'] = process.argv.slice(2)
const store = await openBenchStore(kind as DatabaseKind, url, Number(pageSize))
for (let page = 1; page <= Number(pages); page++) {
  const orders = await exportPage(store, page)
  if (orders !== Number(pageSize)) throw new Error(`Page ${page} has ${orders} orders.`)
}
process.stdout.write(String(processKib('VmHWM')))
process.exit(0)
