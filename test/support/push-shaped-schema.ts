import { getPayload } from 'payload'
import { typedConfig } from '../erasure/typed-config.js'
import { blockConfig } from '../shipping/notice/block-fields.js'
import { renamedConfig } from '../stores/renamed-config.js'
import { tenantConfig } from '../stores/tenant-config.js'
import type { DatabaseKind } from './bare-config.js'

// Run by store.ts: makes the schema of a store of another shape in an empty database.
const [kind = 'sqlite', url = '', name = ''] = process.argv.slice(2)
const shapes = [blockConfig, renamedConfig, tenantConfig, typedConfig]
const shapeOf = shapes.find((shape) => shape.name === name)
if (shapeOf === undefined) throw new Error(`There is no shape ${name}.`)
await getPayload({ config: shapeOf(kind as DatabaseKind, url, true) })
process.exit(0)
