import net from 'node:net'
import { stepsOn } from './console/steps.ts'
import { applyEnvironment, type StoreEnvironment } from './environment.ts'
import { serveBesideStore } from './klaviyo/beside-store.ts'
import type { ServedStandIn } from './klaviyo/serve-stand-in.ts'
import { prepare } from './prepare.ts'
import type { ServedStore } from './serve.ts'
import { onStopSignal } from './stop-signals.ts'

const environment = applyEnvironment()
const steps = stepsOn()
const stopping = new AbortController()
let store: ServedStore | undefined
let klaviyo: ServedStandIn | undefined

onStopSignal((signal) => {
  stopping.abort()
  if (!store) process.exitCode = signal === 'SIGINT' ? 130 : 143
  void store
    ?.close()
    .then(() => klaviyo?.close())
    .finally(() => process.exit(0))
})

try {
  console.log('\nKettle & Quill, a demo store on Payload with Storeconnect')
  console.log('The first start builds all of it. Later ones find it built.\n')
  await checkPort(environment)
  klaviyo = await serveBesideStore(environment)
  const { dataDirectory, databaseUrl, origin } = environment
  await prepare({ dataDirectory, databaseUrl, origin, signal: stopping.signal, steps })
  Object.assign(process.env, { NODE_ENV: 'production' })
  // What needs the built plugin comes after the build.
  const { serveStore } = await import('./serve.ts')
  const { welcome } = await import('./welcome.ts')
  const served = await steps.run('Start the server', () => serveStore(environment))
  if (stopping.signal.aborted) process.exit()
  store = served
  console.log(await welcome(served, klaviyo, environment))
  const seconds = Math.round(performance.now() / 1000)
  console.log(`Storeconnect demo is ready at ${served.origin} (${seconds} s)`)
} catch (error) {
  if (stopping.signal.aborted) process.exit()
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** Finds out before the build, not after it, that the port belongs to somebody else. */
function checkPort({ host, port }: StoreEnvironment): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Choose another one: PORT=${port + 1} npm start`
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error)
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
