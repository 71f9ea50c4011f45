import type { Variables } from '../environment.ts'
import { serveKlaviyoStandIn, type ServedStandIn } from './serve-stand-in.ts'
import { demoApiKey } from './stand-in.ts'

interface Beside {
  host: string
  /** The store's. */
  port: number
}

/** The stand-in's port is the store's plus this, unless `KLAVIYO_PORT` says otherwise. */
const PORT_DISTANCE = 10

/**
 * Serves a stand-in for a store in the same process, and points the store at it. Call it before the
 * Payload config is imported. With a `KLAVIYO_URL` the store has its Klaviyo already; without one no
 * key of the owner's is used, since nothing may leave the machine by accident.
 */
export async function serveBesideStore(
  { host, port: storePort }: Beside,
  env: Variables = process.env,
): Promise<ServedStandIn | undefined> {
  if (env.KLAVIYO_URL) return undefined
  const port = standInPort(storePort, env.KLAVIYO_PORT)
  const served = await serveKlaviyoStandIn({ host, port }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(
      `Port ${port} for the Klaviyo stand-in is taken. Choose another one: KLAVIYO_PORT=${port + 1} npm start`,
      { cause: error },
    )
  })
  env.KLAVIYO_URL = served.origin
  env.KLAVIYO_API_KEY = demoApiKey
  return served
}

function standInPort(storePort: number, text: string | undefined): number {
  if (!text) return storePort === 0 ? 0 : storePort + PORT_DISTANCE
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new TypeError(`KLAVIYO_PORT must be a whole number from 0 to 65535, not "${text}"`)
}
