import { getPayload } from 'payload'
import type { DatabaseKind } from '../support/store-config.js'
import { renamedConfig } from './renamed-config.js'

// Run by renamed-store.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await getPayload({ config: renamedConfig(kind as DatabaseKind, url, true) })
process.exit(0)
