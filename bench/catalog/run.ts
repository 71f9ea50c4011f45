import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDatabases } from '../../test/support/databases.js'
import { report, shown, tell } from '../goals.js'
import {
  kindOf,
  openDatabase,
  type BenchDatabase,
  type Ground,
} from '../marketing/bench-database.js'
import type { LoadedCode, SeenCode } from './code-child.js'
import { variantsOfProduct } from './products.js'
import { sentCatalog, type Cost } from './sent-catalog.js'

const { values } = parseArgs({
  options: {
    variants: { type: 'string', default: '20000' },
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const products = (values.quick ? 1_000 : Number(values.variants)) / variantsOfProduct
const small = products / 100
/** How long Klaviyo works on a job. */
const jobSeconds = values.quick ? 1 : 20

function show(title: string, { seconds, core, peakKib, calls }: Cost): void {
  console.log(`  ${title}`)
  tell('minutes, in real time', shown(seconds / 60))
  tell('of one core', `${shown(core * 100)} %`)
  tell('memory at its peak', `${shown(peakKib / 1024)} MiB`)
  tell('calls', shown([...calls.values()].reduce((sum, count) => sum + count, 0)))
  for (const [name, count] of calls) tell(`calls: ${name}`, shown(count))
}

function showCode({ kind, url }: BenchDatabase): void {
  const child = join(import.meta.dirname, 'code-child.ts')
  const given = ['--import', 'tsx', child, kind, url]
  const seen = JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as SeenCode
  console.log('\nthe code of the catalog in a process on a host of functions')
  const told = ({ modules, characters }: LoadedCode) =>
    `${modules} modules, ${shown(characters / 1024)} KiB`
  tell('at its start', told(seen.atStart))
  tell('once it delivers', told(seen.delivering))
}

const all: Ground[] = ['sqlite, wal', 'postgres']
const databases = await startDatabases()
try {
  showCode(await openDatabase(databases, 'sqlite'))
  for (const ground of all) {
    if ((values.database ?? kindOf(ground)) !== kindOf(ground)) continue
    console.log(`\n${ground}: the catalog by the API`)
    const few = await sentCatalog(databases, ground, { products: small, jobSeconds })
    const many = await sentCatalog(databases, ground, { products, jobSeconds })
    const variants = shown(products * variantsOfProduct)
    show(`all of ${variants} variants`, many.whole)
    show('a night that changes nothing', many.night)
    report('calls refused by the limits', many.throttled, { atMost: 0 })
    const against = `against ${shown(small * variantsOfProduct)} variants`
    report(`memory at its peak, ${against}`, many.whole.peakKib / few.whole.peakKib, {
      atMost: 1.5,
    })
    report(`the same at night, ${against}`, many.night.peakKib / few.night.peakKib, { atMost: 1.5 })
  }
} finally {
  await databases.stop()
}
process.exit(0)
