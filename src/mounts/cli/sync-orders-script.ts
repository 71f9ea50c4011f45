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
    const parts = await partsOf(await openPayload(config))
    const { histories, overview, delivery, deliveryStatus } = parts
    if (histories === undefined || deliveryStatus === undefined) {
      throw new Error('This store has no Klaviyo: storeConnect({ marketing: false }).')
    }
    const sending: SyncDelivery = {
      start: () => delivery.start(),
      async counts() {
        const { waiting = [], failed = [], lastSentAt } = (await overview.facts()).marketing ?? {}
        const events = waiting.find(({ kind }) => kind === 'past-event')
        return {
          waiting: events?.count ?? 0,
          failed: failed.reduce((sum, { count }) => sum + count, 0),
          lastSentAt,
        }
      },
      status: deliveryStatus,
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
