import { writeFileSync } from 'node:fs'
import { schemaFile, schemaText } from './schema.js'

// npm run schema: writes the schema as the code makes it.
writeFileSync(schemaFile, await schemaText())
// Payload keeps the process.
process.exit()
