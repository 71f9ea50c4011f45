import { getPayload } from 'payload'
import { storeConfig, type DatabaseKind } from './store-config.js'

// Run by databases.ts and uuid-store.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = '', idType] = process.argv.slice(2)
await getPayload({
  config: storeConfig({
    kind: kind as DatabaseKind,
    url,
    ...(idType === 'uuid' && { idType }),
    push: true,
    userAuth: { verify: true },
  }),
})
process.exit(0)
