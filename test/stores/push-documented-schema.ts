import { getPayload } from 'payload'
import { documentedConfig, importStore } from './documented-config.js'

// Run by documented-options.test.ts: makes the schema in an empty database.
const [file = '', url = ''] = process.argv.slice(2)
await getPayload({ config: documentedConfig(await importStore(file), { url, push: true }) })
process.exit(0)
