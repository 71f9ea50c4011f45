import { getPayload } from 'payload'
import type { DatabaseKind } from '../../support/store-config.js'
import { outboxConfig, type OutboxSetup } from './outbox-config.js'

// Run by outbox-store.ts: makes the schema in an empty database.
const [kind = 'sqlite', url = '', idType = 'number'] = process.argv.slice(2)
await getPayload({
  config: outboxConfig({
    kind: kind as DatabaseKind,
    url,
    idType: idType as OutboxSetup['idType'],
    push: true,
  }),
})
process.exit(0)
