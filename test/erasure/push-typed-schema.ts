import { getPayload } from 'payload'
import type { DatabaseKind } from '../support/store-config.js'
import { typedConfig } from './typed-config.js'

// Run by typed-fields.test.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await getPayload({ config: typedConfig(kind as DatabaseKind, url, true) })
process.exit(0)
