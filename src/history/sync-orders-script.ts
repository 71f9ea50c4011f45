import { getPayload, type SanitizedConfig } from 'payload'
import { exitCodes } from '../cli/exit-codes.js'
import { syncOrders, type SyncDelivery } from '../cli/sync-orders.js'
import { processTerminal } from '../cli/terminal.js'
import { partsOf } from '../installation.js'

/** Four thousand events wait at most when all orders are told; the rest is for the shop to send. */
const finishWithinMs = 60_000

/** What Payload's command line runs for `storeconnect:sync-orders`. */
export async function script(config: SanitizedConfig): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    // The store's own start-up has no place in a command.
    const payload = await getPayload({ config, disableOnInit: true })
    const { histories, overview, delivery, ...parts } = partsOf(payload)
    const sending: SyncDelivery = {
      start: () => delivery.start(),
      async finish() {
        await delivery.stop()
        await delivery.runUntilIdle({ deadline: new Date(Date.now() + finishWithinMs) })
      },
      async waitingEvents() {
        const { marketing } = await overview.facts()
        return marketing.waiting.find(({ lane }) => lane === 'events')?.count ?? 0
      },
      status: () => parts.deliveryStatus(),
    }
    const given = process.argv.slice(3)
    process.exitCode = await syncOrders(given, { histories, delivery: sending, terminal })
    await delivery.stop()
  } catch (error) {
    terminal.say(error instanceof Error ? error.message : String(error))
  }
  // Payload ends its process with 0, whatever its command came to.
  process.exit(process.exitCode)
}
