import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../test/support/store-config.js'
import { startDatabases, type TemplateDatabases } from '../test/support/databases.js'
import { exportArms, exportPage } from './export-arms.js'
import { report, shown, tell } from './goals.js'
import { interleave, median, type Measured } from './interleave.js'
import { showProgress } from './progress.js'
import { makeStore, spread, type BenchStore } from './stores.js'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const manyOrders = values.quick ? 4000 : Number(values.orders)
const rounds = values.quick ? 1 : Number(values.rounds)
const pageSize = 500

/** Node.js translates code that runs often, and a store runs for days. The figures are of such a store. */
const warmUp = values.quick ? 1 : 20

// Pages 1 and 2 of it are full.
const fewOrders = Math.max(2 * pageSize, manyOrders / 100)
if (!(manyOrders >= 4 * fewOrders)) throw new Error('There must be 4,000 orders or more.')

function show(measured: readonly Measured[]): void {
  for (const { name, medianMs } of measured) tell(name, `${medianMs.toFixed(1)} ms`)
}

async function benchExport(store: BenchStore): Promise<void> {
  console.log(`\n${store.kind}: a page of ${pageSize} full orders, times faster than`)
  const work = pageSize
  const measured = await interleave(exportArms(store, 2, pageSize), { rounds, warmUp, work })
  const [ours = 0, floor = 0, builder2 = 0, fastXml = 0] = measured.map(({ medianMs }) => medianMs)
  show(measured)
  report('the floor', floor / ours, { atLeast: store.kind === 'sqlite' ? 1 : 0.9 })
  tell('payload.find depth 2 + xmlbuilder2', (builder2 / ours).toFixed(2))
  report('payload.find depth 2 + fast-xml-parser', fastXml / ours, { atLeast: 4 })
}

/** A window of all orders until this moment; each is a pull with a list of its own. */
const until = (end: Date) => ({ start_date: '1/1/2025 00:00', end_date: end.toISOString() })

const minutesAfter = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000)

async function benchDepth(store: BenchStore): Promise<void> {
  // Half of the orders, and a little more: they lie evenly in the year.
  const middle = spread.from.getTime() + (spread.to.getTime() - spread.from.getTime()) * 0.51
  const lastPage = Math.floor(manyOrders / 2 / pageSize)
  console.log(`\n${store.kind}: ${shown(manyOrders / 2)} orders, page size ${pageSize}`)
  // Each repeats its page within its own pull.
  const arms = [1, 2, lastPage].map((page, index) => {
    const window = until(minutesAfter(new Date(middle), index))
    return { name: `page ${page}`, window, run: () => exportPage(store, page, window) }
  })
  for (const { window } of arms) await exportPage(store, 1, window)
  const measured = await interleave(arms, { rounds, work: pageSize })
  const [first = 0, second = 0, last = 0] = measured.map(({ medianMs }) => medianMs)
  show(measured)
  report(`page ${lastPage} against page 1, which fixes the list`, last / first, { atMost: 1.1 })
  report(`page ${lastPage} against page 2`, last / second, { atMost: 1.1 })
}

/** What page 1 takes longer than page 2, against a whole pull of all pages, one after the other. */
async function benchList(store: BenchStore): Promise<void> {
  console.log(`\n${store.kind}: the list of ${shown(manyOrders)} orders`)
  const timed = async (page: number, window: object): Promise<number> => {
    const start = performance.now()
    const orders = await exportPage(store, page, window)
    if (orders !== pageSize) throw new Error(`Page ${page} has ${orders} orders.`)
    return performance.now() - start
  }
  const fixing: number[] = []
  for (let round = 0; round < rounds; round++) {
    const window = until(minutesAfter(spread.to, 60 + round))
    const first = await timed(1, window)
    fixing.push(first - (await timed(2, window)))
  }
  const pages = Math.floor(manyOrders / pageSize)
  const progress = showProgress(`Pulling ${shown(pages)} pages on ${store.kind}`)
  let pullMs = 0
  for (let page = 1; page <= pages; page++) {
    pullMs += await timed(page, {})
    progress.update(page, pages)
  }
  progress.end()
  const fixingMs = median(fixing)
  // A quick run has too few rounds to tell the two pages apart.
  if (!(fixingMs > 0 || values.quick)) throw new Error(`Fixing the list took ${fixingMs} ms.`)
  tell('fixing the list', `${fixingMs.toFixed(1)} ms`)
  tell(`a pull of all ${shown(pages)} pages`, `${(pullMs / 1000).toFixed(1)} s`)
  report('% of the pull', (fixingMs / pullMs) * 100, { atMost: 1 })
}

function benchMemory(few: BenchStore, many: BenchStore): void {
  const pages = Math.floor(fewOrders / pageSize)
  console.log(`\n${many.kind}: peak memory of a process that pulls ${pages} pages of ${pageSize}`)
  const peak = ({ kind, url }: BenchStore): number => {
    const script = join(import.meta.dirname, 'memory-child.ts')
    const given = ['--import', 'tsx', script, kind, url, String(pages), String(pageSize)]
    const runs = Array.from({ length: values.quick ? 1 : 3 }, () =>
      Number(execFileSync(process.execPath, given)),
    )
    return median(runs)
  }
  const [low, high] = [peak(few), peak(many)]
  tell(`at ${shown(fewOrders)} orders`, `${Math.round(low / 1024)} MiB`)
  tell(`at ${shown(manyOrders)} orders`, `${Math.round(high / 1024)} MiB`)
  report(`${shown(manyOrders / fewOrders)} × the orders`, high / low, { atMost: 1.15 })
}

async function benchDatabase(databases: TemplateDatabases, kind: DatabaseKind): Promise<void> {
  const few = await makeStore(databases, kind, fewOrders)
  await benchExport(few)
  const many = await makeStore(databases, kind, manyOrders)
  await benchDepth(many)
  await benchList(many)
  benchMemory(few, many)
}

const databases = await startDatabases()
try {
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (values.database === undefined || values.database === kind) {
      await benchDatabase(databases, kind)
    }
  }
} finally {
  await databases.stop()
}
process.exit(0)
