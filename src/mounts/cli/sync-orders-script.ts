import type { SanitizedConfig } from 'payload'
import { openPayload } from './open-payload.js'
import { problemText } from './problem-text.js'
import { exitCodes } from './sync-orders-arguments.js'
import { syncOrders, type SyncDelivery } from './sync-orders.js'
import { processTerminal } from './terminal.js'
import { partsOf } from '../../core/installation.js'

/** Payload's command line runs this function for `storeconnect:sync-orders`. */
export async function script(config: SanitizedConfig): Promise<void> {
  const terminal = processTerminal()
  process.exitCode = exitCodes.failed
  try {
    const { histories, overview, delivery, ...parts } = await partsOf(await openPayload(config))
    const sending: SyncDelivery = {
      start: () => delivery.start(),
      async counts() {
        const { marketing } = await overview.facts()
        const events = marketing.waiting.find(({ kind }) => kind === 'past-event')
        const failed = marketing.failed.reduce((sum, { count }) => sum + count, 0)
        return { waiting: events?.count ?? 0, failed, lastSentAt: marketing.lastSentAt }
      },
      status: () => parts.deliveryStatus(),
    }
    const given = process.argv.slice(3)
    process.exitCode = await syncOrders(given, { histories, delivery: sending, terminal })
    await delivery.stop()
  } catch (error) {
    terminal.say(problemText(error))
  }
  // Payload would end the process with 0, even if the command has failed.
  process.exit(process.exitCode)
}
