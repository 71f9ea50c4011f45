import type { SanitizedConfig } from 'payload'
import { partsOf } from '../../core/installation.js'
import { erase } from './erase.js'
import { openPayload } from './open-payload.js'
import { problemText } from './problem-text.js'
import { exitCodes } from './sync-orders-arguments.js'
import { processTerminal } from './terminal.js'

/** Payload's command line runs this function for `storeconnect:erase`. */
export async function script(config: SanitizedConfig): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    const { erasures } = await partsOf(await openPayload(config))
    process.exitCode = await erase(process.argv.slice(3), { erasures, terminal })
  } catch (error) {
    terminal.say(problemText(error))
  }
  // Payload would end the process with 0, even if the command has failed.
  process.exit(process.exitCode)
}
