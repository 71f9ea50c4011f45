import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from 'payload'
import { syncOrdersCommand } from '../cli/command-names.js'

const here = dirname(fileURLToPath(import.meta.url))

/** Adds what Payload's command line runs for us. */
export const withCommands = (bin: Config['bin']): NonNullable<Config['bin']> => [
  ...(bin ?? []),
  { key: syncOrdersCommand, scriptPath: join(here, 'sync-orders-script.js') },
]
