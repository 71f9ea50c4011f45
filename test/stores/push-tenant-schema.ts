import { getPayload } from 'payload'
import type { DatabaseKind } from '../support/store-config.js'
import { tenantConfig } from './tenant-config.js'

// Run by tenant-store.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await getPayload({ config: tenantConfig(kind as DatabaseKind, url, true) })
process.exit(0)
