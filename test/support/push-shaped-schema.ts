import { getPayload, type SanitizedConfig } from 'payload'

// Run by store.ts: makes the schema of a store of another shape in an empty database.
const [kind, url, file = '', name = ''] = process.argv.slice(2)
type Shapes = Record<string, (...given: unknown[]) => Promise<SanitizedConfig>>
const config = ((await import(file)) as Shapes)[name]?.(kind, url, true)
if (config === undefined) throw new Error(`${file} has no ${name}.`)
await getPayload({ config })
process.exit(0)
