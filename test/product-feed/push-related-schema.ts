import { getPayload } from 'payload'
import type { DatabaseKind } from '../support/store-config.js'
import { relatedConfig, type IdType } from './related-config.js'

// Run by related-products.test.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = '', idType = 'number'] = process.argv.slice(2)
await getPayload({
  config: relatedConfig({
    kind: kind as DatabaseKind,
    url,
    idType: idType as IdType,
    push: true,
  }),
})
process.exit(0)
