import { getPayload } from 'payload'
import type { DatabaseKind } from '../support/store-config.js'
import { draftConfig } from './draft-config.js'

// Run by drafts.test.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await getPayload({ config: draftConfig(kind as DatabaseKind, url, true) })
process.exit(0)
