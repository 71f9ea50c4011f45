import { pushSchema } from './push-schema.js'
import { templateConfig, type DatabaseKind } from './store-config.js'

// Run by databases.ts: makes the schema of the test store in an empty database.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
await pushSchema(await templateConfig(kind as DatabaseKind, url))
process.exit(0)
