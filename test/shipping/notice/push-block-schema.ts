import { getPayload } from 'payload'
import { storeConfig, type DatabaseKind } from '../../support/store-config.js'
import { blockStore } from './block-fields.js'

// Run by block-fields.test.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
const config = storeConfig({ ...blockStore, kind: kind as DatabaseKind, url, push: true })
await getPayload({ config })
process.exit(0)
