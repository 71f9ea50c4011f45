import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDatabases, type TemplateDatabases } from '../../test/support/databases.js'
import { kindOf, openDatabase, type Ground } from '../marketing/bench-database.js'
import { report, shown, tell } from '../goals.js'
import type { SeenFeed } from './feed-child.js'
import { fillWithProducts } from './products.js'

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const few = values.quick ? 10 : 1_000
const many = values.quick ? 1_000 : Number(values.products)
const rounds = values.quick ? 1 : Number(values.rounds)
const child = join(import.meta.dirname, 'feed-child.ts')

/** The feed of a store with so many products, each time by a process of its own; medians. */
async function seenFeed(
  databases: TemplateDatabases,
  ground: Ground,
  count: number,
): Promise<SeenFeed> {
  const store = await openDatabase(databases, ground)
  await fillWithProducts(store, count)
  const seen = Array.from({ length: rounds }, () => {
    const given = ['--import', 'tsx', child, store.kind, store.url]
    const feed = JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as SeenFeed
    if (feed.products !== count) throw new Error(`The feed has ${feed.products} of ${count}.`)
    if (feed.conditionalStatus !== 304) {
      throw new Error(`Who has the feed already is answered with ${feed.conditionalStatus}.`)
    }
    return feed
  })
  const [first] = seen
  if (first === undefined) throw new Error('There was no round.')
  const medianOf = (name: keyof SeenFeed) =>
    seen.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(seen.length / 2)] ?? NaN
  const names = Object.keys(first) as (keyof SeenFeed)[]
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as unknown as SeenFeed
}

function show(count: number, feed: SeenFeed): void {
  console.log(`  ${shown(count)} products`)
  tell('the feed', `${shown(feed.bytes / 1024 ** 2)} MiB`)
  tell('memory at the start', `${shown(feed.startKib / 1024)} MiB`)
  tell('memory at its peak', `${shown(feed.peakKib / 1024)} MiB`)
  tell('until the first byte', `${shown(feed.firstByteMs)} ms`)
  tell('until the last byte', `${shown(feed.allMs)} ms`)
  tell('all of it again', `${shown(feed.againMs)} ms`)
}

async function benchFeed(databases: TemplateDatabases, ground: Ground): Promise<void> {
  console.log(`\n${ground}: the product feed`)
  const small = await seenFeed(databases, ground, few)
  show(few, small)
  const large = await seenFeed(databases, ground, many)
  show(many, large)
  const title = (of: string) => `${of}, ${shown(many)} products against ${shown(few)}`
  report(title('memory at its peak'), large.peakKib / small.peakKib, { atMost: 2 })
  report(title('until the first byte'), large.firstByteMs / small.firstByteMs, { atMost: 2 })
  report(`the second answer against the first, ${shown(few)}`, small.againMs / small.allMs, {
    atMost: 0.1,
  })
  report(`the second answer against the first, ${shown(many)}`, large.againMs / large.allMs, {
    atMost: 0.1,
  })
  tell('the status for who has it already', shown(large.conditionalStatus))
}

const all: Ground[] = ['sqlite, wal', 'postgres']
const databases = await startDatabases()
try {
  for (const ground of all) {
    if ((values.database ?? kindOf(ground)) === kindOf(ground)) await benchFeed(databases, ground)
  }
} finally {
  await databases.stop()
}
process.exit(0)
