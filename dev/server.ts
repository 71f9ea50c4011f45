import { applyEnvironment } from './environment.ts'
import { onStopSignal } from './stop-signals.ts'

// Serves a store that is prepared already: `npm start` does both.
Object.assign(process.env, { NODE_ENV: 'production' })
const environment = applyEnvironment()
const { serveStore } = await import('./serve.ts')
const store = await serveStore(environment)
onStopSignal(() => void store.close().finally(() => process.exit(0)))
console.log(`Storeconnect demo is ready at ${store.origin}`)
