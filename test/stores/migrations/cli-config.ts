import type { DatabaseKind } from '../../support/store-config.js'
import { migratedConfig } from './migrated-config.js'

// Payload's command line reads this one; migrated-store.ts runs it.
const { STORE_KIND = '', STORE_URL = '', STORE_MIGRATIONS = '', STORE_STAGE = '' } = process.env

export default migratedConfig({
  kind: STORE_KIND as DatabaseKind,
  url: STORE_URL,
  migrationDir: STORE_MIGRATIONS,
  options: STORE_STAGE === 'connected' ? {} : undefined,
})
