import { getPayload, type SanitizedConfig } from 'payload'
import { partsOf } from '../installation.js'
import { erase } from './erase.js'
import { exitCodes } from './sync-orders-arguments.js'
import { processTerminal } from './terminal.js'

/** Payload's command line runs this function for `storeconnect:erase`. */
export async function script(config: SanitizedConfig): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    // A command must not run the store's own `onInit`.
    const payload = await getPayload({ config, disableOnInit: true })
    const { erasures } = await partsOf(payload)
    process.exitCode = await erase(process.argv.slice(3), { erasures, terminal })
  } catch (error) {
    terminal.say(error instanceof Error ? error.message : String(error))
  }
  // Payload would end the process with 0, even if the command has failed.
  process.exit(process.exitCode)
}
