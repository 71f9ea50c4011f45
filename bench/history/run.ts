import { parseArgs } from 'node:util'
import { startDatabases, type TemplateDatabases } from '../../test/support/databases.js'
import { kindOf, type Ground } from '../marketing/bench-database.js'
import { startLoader } from '../marketing/loader.js'
import { benchBeside } from './beside.js'
import { benchRate } from './rate.js'
import { fullSizes, quickSizes } from './sizes.js'
import { benchSpeed } from './speed.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** speed, rate or beside. */
    only: { type: 'string' },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const sizes = values.quick ? quickSizes : fullSizes
const loader = startLoader()
const all: Ground[] = ['sqlite, wal', 'postgres']
const grounds = all.filter((ground) => (values.database ?? kindOf(ground)) === kindOf(ground))
const benches: Record<string, (databases: TemplateDatabases, ground: Ground) => Promise<void>> = {
  speed: (databases, ground) => benchSpeed(databases, ground, sizes),
  rate: (databases, ground) => benchRate(databases, ground, sizes),
  beside: (databases, ground) => benchBeside(databases, ground, { loader, sizes }),
}
const chosen = Object.entries(benches).filter(([name]) => (values.only ?? name) === name)

const databases = await startDatabases()
try {
  for (const [, bench] of chosen) {
    for (const ground of grounds) await bench(databases, ground)
  }
} finally {
  await loader.stop()
  await databases.stop()
}
process.exit(0)
