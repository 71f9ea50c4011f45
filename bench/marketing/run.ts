import { parseArgs } from 'node:util'
import { startDatabases, type TemplateDatabases } from '../../test/support/databases.js'
import { benchAccept } from './accept.js'
import { kindOf, type Ground } from './bench-database.js'
import { benchDrain } from './drain.js'
import { benchLatency } from './latency.js'
import { startLoader } from './loader.js'
import { fullSizes, quickSizes } from './sizes.js'
import { benchSteady } from './steady.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** accept, steady, latency or drain. */
    only: { type: 'string' },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const sizes = values.quick ? quickSizes : fullSizes
const loader = startLoader()
const parts = { loader, sizes }

const benches: Record<string, (databases: TemplateDatabases, ground: Ground) => Promise<void>> = {
  accept: (databases, ground) => benchAccept(databases, ground, parts),
  steady: (databases, ground) => benchSteady(databases, ground, parts),
  latency: (databases, ground) => benchLatency(databases, ground, parts),
  async drain(databases, ground) {
    if (ground !== 'sqlite') await benchDrain(databases, ground, sizes)
  },
}

const grounds = (['sqlite', 'sqlite, wal', 'postgres'] satisfies Ground[]).filter(
  (ground) => values.database === undefined || values.database === kindOf(ground),
)
const chosen = Object.entries(benches).filter(
  ([name]) => values.only === undefined || values.only === name,
)
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
