import type { Variables } from '../environment.ts'
import { serveKlaviyoStandIn, type ServedStandIn } from './serve-stand-in.ts'
import { demoApiKey, demoPublicKey } from './stand-in.ts'

interface Beside {
  host: string
  /** The store's. */
  port: number
}

const PORT_DISTANCE = 10

/**
 * Serves a stand-in for a store in the same process, and points the store at it. Call it before the
 * Payload config is imported. With a `KLAVIYO_URL` the store has its Klaviyo already; without one no
 * key of the owner's is used, since nothing may leave the machine by accident.
 */
export async function serveBesideStore(
  store: Beside,
  env: Variables = process.env,
): Promise<ServedStandIn | undefined> {
  if (env.KLAVIYO_URL) return undefined
  const served = await serveNearStore(store, env, 'npm start')
  env.KLAVIYO_URL = served.origin
  env.KLAVIYO_API_KEY = demoApiKey
  env.KLAVIYO_PUBLIC_KEY = demoPublicKey
  return served
}

/**
 * Serves a stand-in on the store's port plus ten, unless `KLAVIYO_PORT` says otherwise.
 *
 * @param command What to run again when that port is taken.
 */
export async function serveNearStore(
  { host, port: storePort }: Beside,
  env: Variables,
  command: string,
): Promise<ServedStandIn> {
  const port = standInPort(storePort, env.KLAVIYO_PORT)
  return serveKlaviyoStandIn({ host, port }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(
      `Port ${port} for the Klaviyo stand-in is taken. Choose another one: KLAVIYO_PORT=${port + 1} ${command}`,
      { cause: error },
    )
  })
}

function standInPort(storePort: number, text: string | undefined): number {
  if (!text) return storePort === 0 ? 0 : storePort + PORT_DISTANCE
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new TypeError(`KLAVIYO_PORT must be a whole number from 0 to 65535, not "${text}"`)
}
