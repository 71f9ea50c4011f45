import { applyEnvironment } from './environment.ts'
import type { SetUpMessage } from './prepare.ts'

// Runs in a process of its own, with NODE_ENV=development: connecting then pushes the schema.
// The address that the sites get is said by who prepares the store, and may be on any port.
const sitesOrigin = process.env.STORE_ORIGIN
const { origin } = applyEnvironment()
const tell = (message: SetUpMessage) => process.send?.(message)

const { openStore } = await import('./open-store.ts')
const { seedDemo } = await import('./seed/seed-demo.ts')

const payload = await openStore()
tell({ at: 'schema' })
const seeded = await seedDemo(payload, {
  onProgress: (done, total) => tell({ at: 'seed', done, total }),
  origin: sitesOrigin || origin,
})
// Payload keeps its connections open, so the process has to end itself, after the message.
const message: SetUpMessage = { at: 'end', seeded }
if (process.send) process.send(message, () => process.exit(0))
else process.exit(0)
