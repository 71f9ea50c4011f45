import { parseArgs } from 'node:util'
import { readPeriod } from '../history/period.js'
import type { HistoryPeriod } from '../store/history.js'

export interface SyncOrdersArguments {
  period: HistoryPeriod
  /** Does not ask whether to begin. */
  isSure: boolean
  /** Stays until the run is over, and sends along. */
  waits: boolean
}

export const usage = `Usage: storeconnect sync-orders --from 2025-01-01 --to 2026-01-01 [--yes] [--wait]

Tells Klaviyo of past orders, with their own dates, and so that no flows start.
An order that it was told of before is not told again.

  --from  The first day
  --to    The day after the last one
  --yes   Begins without asking
  --wait  Stays until all orders are in the queue, shows how far it is, and sends along
`

/** The command's arguments; undefined when they are not as the usage says. */
export function readArguments(given: readonly string[]): SyncOrdersArguments | undefined {
  const values = parsed(given)
  const period = values && readPeriod(values)
  return period && { period, isSure: values.yes, waits: values.wait }
}

function parsed(given: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...given],
      options: {
        from: { type: 'string', default: '' },
        to: { type: 'string', default: '' },
        yes: { type: 'boolean', default: false },
        wait: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    // An option that there is not, or one without its value.
    if (error instanceof TypeError) return undefined
    throw error
  }
}
