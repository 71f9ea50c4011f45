import { sql } from 'drizzle-orm'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { column } from '../../src/core/database/database.js'
import { keepProgress, readProgress } from '../../src/marketing/catalog/catalog-progress.js'
import { catalogSlug } from '../../src/marketing/klaviyo/known-variants.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import {
  numberOf,
  openDatabase,
  type BenchDatabase,
  type Ground,
} from '../marketing/bench-database.js'
import { startShop } from '../marketing/shop.js'
import { showProgress } from '../progress.js'
import { fillWithVariants, variantsOfProduct } from './products.js'

/** What a process needed from its first call until Klaviyo had everything and the comparison was over. */
export interface Cost {
  seconds: number
  /** Its share of one core. */
  core: number
  peakKib: number
  /** By their names. */
  calls: ReadonlyMap<string, number>
}

const longestMs = 30 * 60_000

/**
 * Sends the catalog of a shop with so many products, and has a night go by, each in a process of its own.
 *
 * @throws when something is missing at Klaviyo, came twice, or a night changes something.
 */
export async function sentCatalog(
  databases: TemplateDatabases,
  ground: Ground,
  { products, jobSeconds }: { products: number; jobSeconds: number },
): Promise<{ whole: Cost; night: Cost; throttled: number }> {
  const store = await openDatabase(databases, ground)
  await fillWithVariants(store, products)
  const served = await serveKlaviyoStandIn({ port: 0, catalogSeconds: jobSeconds })
  const { state } = served.standIn
  const entries = products * (1 + variantsOfProduct)
  const whole = await untilCompared(store, served, entries)
  const sent = [...state.catalog.of('item').values(), ...state.catalog.of('variant').values()]
  const twice = sent.filter(({ arrivals }) => arrivals > 1).length
  if (sent.length !== entries || twice > 0)
    throw new Error(`Of ${entries} entries there arrived ${sent.length}, ${twice} of them twice.`)
  const { key = '' } = (await readProgress(store.payload)) ?? {}
  await keepProgress(store.payload, { key, comparedAt: new Date(0) })
  const night = await untilCompared(store, served, entries)
  const changes = [...night.calls.keys()].filter((name) => /^(create|update|delete)-/.test(name))
  if (changes.length > 0) throw new Error(`A night has made calls: ${changes.join(', ')}.`)
  await served.close()
  await store.payload.destroy()
  return { whole, night, throttled: state.throttled }
}

async function untilCompared(
  store: BenchDatabase,
  { standIn, origin }: ServedStandIn,
  entries: number,
): Promise<Cost> {
  const { calls } = standIn.state
  const before = calls.length
  const begun = new Date()
  const { kind, url } = store
  const shop = await startShop({ kind, url, platformUrl: origin, sendsCatalog: true })
  const cpuBefore = await shop.cpuSeconds()
  const progress = showProgress(`The catalog of ${entries} entries on ${kind}`)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const done = await doneEntries(store)
    progress.update(done, entries)
    const { comparedAt } = (await readProgress(store.payload)) ?? {}
    if (done === entries && comparedAt !== undefined && comparedAt > begun) break
    if (Date.now() > begun.getTime() + longestMs) throw new Error(`Only ${done} are done.`)
  }
  progress.end()
  const made = calls.slice(before)
  const seconds = (Date.now() - (made[0]?.at ?? NaN)) / 1000
  const core = ((await shop.cpuSeconds()) - cpuBefore) / seconds
  const peakKib = await shop.peakKib()
  await shop.stop()
  const counts = new Map<string, number>()
  for (const { name } of made) counts.set(name, (counts.get(name) ?? 0) + 1)
  return { seconds, core, peakKib, calls: counts }
}

function doneEntries({ database }: BenchDatabase): Promise<number> {
  const table = database.table(catalogSlug)
  const isDone = sql`${column(table, 'state')} = 'done' and ${column(table, 'kind')} <> 'category'`
  return numberOf(database, sql`select count(*) from ${table} where ${isDone}`)
}
