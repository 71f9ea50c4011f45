import { getPayload } from 'payload'
import { storeConfig, type DatabaseKind } from '../support/store-config.js'

// Run by uuid-store.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await getPayload({
  config: storeConfig({
    kind: kind as DatabaseKind,
    url,
    idType: 'uuid',
    push: true,
    userAuth: { verify: true },
  }),
})
process.exit(0)
