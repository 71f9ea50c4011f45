import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from 'payload'

/** The name of our command for Payload's command line: `payload storeconnect:sync-orders`. */
export const syncOrdersCommand = 'storeconnect:sync-orders'

/** The same for `payload storeconnect:erase`. */
export const eraseCommand = 'storeconnect:erase'

const here = dirname(fileURLToPath(import.meta.url))

/** Adds our commands to Payload's command line. */
export const withCommands = (bin: Config['bin']): NonNullable<Config['bin']> => [
  ...(bin ?? []),
  { key: syncOrdersCommand, scriptPath: join(here, 'sync-orders-script.js') },
  { key: eraseCommand, scriptPath: join(here, 'erase-script.js') },
]
