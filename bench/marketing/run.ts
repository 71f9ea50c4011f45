import { parseArgs } from 'node:util'
import { startDatabases, type TemplateDatabases } from '../../test/support/databases.js'
import { benchAccept } from './accept.js'
import { kindOf, type Ground } from './bench-database.js'
import { tellOfDisk } from './disk.js'
import { benchDrain } from './drain.js'
import { benchLatency, benchTwoProcesses } from './latency.js'
import { startLoader } from './loader.js'
import { benchProfile } from './profile.js'
import { benchRecovery } from './recovery.js'
import { fullSizes, quickSizes } from './sizes.js'
import { benchSteady } from './steady.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** accept, steady, recovery, latency, processes, drain or profile. */
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
  recovery: (databases, ground) => benchRecovery(databases, ground, parts),
  latency: (databases, ground) => benchLatency(databases, ground, parts),
  processes: (databases, ground) => benchTwoProcesses(databases, ground, parts),
  drain: (databases, ground) => benchDrain(databases, ground, sizes),
  profile: (databases, ground) => benchProfile(databases, ground, parts),
}

/** What does not hang on the journal is measured with the faster one alone. */
const groundsOf = (name: string): Ground[] => {
  const all: Ground[] =
    name === 'accept'
      ? ['sqlite', 'sqlite, wal', 'postgres']
      : name === 'processes'
        ? ['postgres']
        : ['sqlite, wal', 'postgres']
  const asked = all.filter((ground) => (values.database ?? kindOf(ground)) === kindOf(ground))
  // One shows that a bench works; only PostgreSQL has all that `accept` compares.
  return values.quick ? asked.slice(...(name === 'accept' ? [-1] : [0, 1])) : asked
}
const chosen = Object.entries(benches).filter(([name]) => (values.only ?? name) === name)

const databases = await startDatabases()
try {
  tellOfDisk()
  for (const [name, bench] of chosen) {
    for (const ground of groundsOf(name)) await bench(databases, ground)
  }
} finally {
  await loader.stop()
  await databases.stop()
}
process.exit(0)
