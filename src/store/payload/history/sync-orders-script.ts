import { getPayload, type SanitizedConfig } from 'payload'
import { exitCodes } from '../../../cli/exit-codes.js'
import { syncOrders } from '../../../cli/sync-orders.js'
import { processTerminal } from '../../../cli/terminal.js'
import { partsOf } from '../../../installation.js'

/** Four thousand events wait at most when all orders are told; the rest is for the shop to send. */
const finishWithinMs = 60_000

/** What Payload's command line runs for `storeconnect:sync-orders`. */
export async function script(config: SanitizedConfig): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    // The store's own start-up has no place in a command.
    const payload = await getPayload({ config, disableOnInit: true })
    const { histories, settings, delivery } = partsOf(payload)
    const hasKey = async () => (await settings.marketing()).keyProblem === undefined
    const sending = {
      start: () => delivery.start(),
      async finish() {
        await delivery.stop()
        await delivery.runUntilIdle({ deadline: new Date(Date.now() + finishWithinMs) })
      },
    }
    const given = process.argv.slice(3)
    process.exitCode = await syncOrders(given, { histories, delivery: sending, hasKey, terminal })
    await delivery.stop()
  } catch (error) {
    terminal.say(error instanceof Error ? error.message : String(error))
  }
  // Payload ends its process with 0, whatever its command came to.
  process.exit(process.exitCode)
}
