import { parseArgs } from 'node:util'
import { startDatabases } from '../../test/support/databases.js'
import { kindOf, type Ground } from '../marketing/bench-database.js'
import { benchSaves } from './saves.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const rounds = values.quick ? 20 : 150
const all: Ground[] = ['sqlite, wal', 'postgres']
const grounds = all.filter((ground) => (values.database ?? kindOf(ground)) === kindOf(ground))

const databases = await startDatabases()
try {
  for (const ground of grounds) await benchSaves(databases, ground, rounds)
} finally {
  await databases.stop()
}
process.exit(0)
