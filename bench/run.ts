import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../test/support/store-config.js'
import { startDatabases, type TemplateDatabases } from '../test/support/databases.js'
import { exportArms, exportPage } from './export-arms.js'
import { interleave, type Measured } from './interleave.js'
import { makeStore, openBenchStore, spread, type BenchStore } from './stores.js'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
    database: { type: 'string' },
  },
})
const manyOrders = Number(values.orders)
const rounds = Number(values.rounds)
const pageSize = 500

/** A ratio, what it should be, and whether it is. */
function report(name: string, ratio: number, goal: { atLeast: number } | { atMost: number }): void {
  const [sign, bound] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost]
  const isMet = 'atLeast' in goal ? ratio >= bound : ratio <= bound
  console.log(
    `  ${isMet ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2)} (goal ${sign} ${bound})  ${name}`,
  )
}

function show(measured: readonly Measured[]): void {
  for (const { name, medianMs, work } of measured) {
    console.log(`          ${medianMs.toFixed(1).padStart(8)} ms  ${work} orders  ${name}`)
  }
}

async function benchExport(store: BenchStore): Promise<void> {
  console.log(`\n${store.kind}: a page of ${pageSize} full orders, times faster than`)
  const measured = await interleave(exportArms(store, 2, pageSize), rounds)
  const [ours = 0, floor = 0, builder2 = 0, fastXml = 0] = measured.map(({ medianMs }) => medianMs)
  show(measured)
  report('the floor', floor / ours, { atLeast: 0.5 })
  report('payload.find depth 2 + xmlbuilder2', builder2 / ours, { atLeast: 15 })
  report('payload.find depth 2 + fast-xml-parser', fastXml / ours, { atLeast: 4 })
}

async function benchDepth(store: BenchStore): Promise<void> {
  // Half of the orders, and a little more: they lie evenly in the year.
  const middle = spread.from.getTime() + (spread.to.getTime() - spread.from.getTime()) * 0.51
  const window = { start_date: '1/1/2025 00:00', end_date: new Date(middle).toISOString() }
  const lastPage = Math.floor(manyOrders / 2 / pageSize)
  console.log(`\n${store.kind}: ${manyOrders / 2} orders, page size ${pageSize}`)
  const arms = [1, 2, lastPage].map((page) => ({
    name: `page ${page}`,
    run: () => exportPage(store, page, window),
  }))
  const measured = await interleave(arms, rounds)
  const [first = 0, second = 0, last = 0] = measured.map(({ medianMs }) => medianMs)
  show(measured)
  report(`page ${lastPage} against page 1, which fixes the list`, last / first, { atMost: 1.1 })
  report(`page ${lastPage} against page 2`, last / second, { atMost: 1.1 })
}

async function benchSize(small: BenchStore, large: BenchStore): Promise<void> {
  for (const size of [100, 500, 1000]) {
    console.log(`\n${large.kind}: page 1 at page size ${size}`)
    const stores = await Promise.all(
      [small, large].map(({ kind, url }) => openBenchStore(kind, url, size)),
    )
    const arms = stores.map((store, index) => ({
      name: index === 0 ? 'of 1,000 orders' : `of ${manyOrders.toLocaleString('en')} orders`,
      run: () => exportPage(store, 1),
    }))
    const measured = await interleave(arms, rounds)
    const [few = 0, many = 0] = measured.map(({ medianMs }) => medianMs)
    show(measured)
    report(`page 1 of ${manyOrders} against page 1 of 1,000`, many / few, { atMost: 3 })
  }
}

function benchMemory(few: BenchStore, many: BenchStore): void {
  const pages = Math.max(1, Math.floor(manyOrders / 100 / pageSize))
  console.log(`\n${many.kind}: peak memory of a process that pulls ${pages} pages of ${pageSize}`)
  const peak = ({ kind, url }: BenchStore): number => {
    const script = join(import.meta.dirname, 'memory-child.ts')
    const runs = [1, 2, 3].map(() =>
      Number(execFileSync(process.execPath, ['--import', 'tsx', script, kind, url, String(pages)])),
    )
    return runs.sort((a, b) => a - b)[1] ?? NaN
  }
  const [low, high] = [peak(few), peak(many)]
  console.log(`          ${Math.round(low / 1024)} MiB at ${manyOrders / 100} orders`)
  console.log(`          ${Math.round(high / 1024)} MiB at ${manyOrders} orders`)
  report('100 × the orders', high / low, { atMost: 1.15 })
}

async function benchDatabase(databases: TemplateDatabases, kind: DatabaseKind): Promise<void> {
  const small = await makeStore(databases, kind, 1000)
  const few = await makeStore(databases, kind, manyOrders / 100)
  await benchExport(few)
  const many = await makeStore(databases, kind, manyOrders)
  await benchDepth(many)
  await benchSize(small, many)
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
