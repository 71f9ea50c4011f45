import { generateTypes } from 'payload/node'

// Writes the types of the store's collections, which Git does not keep. Payload's own command may end
// before it has written anything.
const { default: config } = await import('./payload.config.ts')
await generateTypes(await config, { log: false })
