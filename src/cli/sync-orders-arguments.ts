import { parseArgs } from 'node:util'
import { earliestDay, isDay, readPeriod, type HistoryPeriod } from '../history/period.js'

export interface SyncOrdersArguments {
  period: HistoryPeriod
  /** Does not ask whether to begin. */
  isSure: boolean
  /** Stays until all is sent, for as long as the queue moves, and sends along. */
  waits: boolean
}

export const usage = `Usage: storeconnect sync-orders --from 2025-01-01 --to 2026-01-01 [--yes] [--wait]

Tells Klaviyo of past orders, with their own dates, and so that no flows start.
What is still among the sends (30 days, unless the settings say otherwise) is not
sent again. What was sent before that is, and Klaviyo knows it by its unique id.

  --from  The first day
  --to    The day after the last one
  --yes   Begins without asking
  --wait  Sends along and shows how far it is, until all is sent or nothing moves any more
  --help  Says this
`

/** What the command was called with. */
export type Call = { wanted: SyncOrdersArguments } | { problem: string } | 'help'

/** What there is to say to who called it so, where it does nothing else. */
export const explanation = (call: 'help' | { problem: string }): string =>
  call === 'help' ? usage : `${call.problem}\n\n${usage}`

export function readArguments(given: readonly string[]): Call {
  const values = parsed(given)
  if ('problem' in values) return values
  if (values.help) return 'help'
  const period = readPeriod(values)
  if (period === undefined) return { problem: periodProblem(values) }
  return { wanted: { period, isSure: values.yes, waits: values.wait } }
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
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    // An option that there is not, or one without its value. What Node advises beyond that is no help.
    if (error instanceof TypeError) return { problem: `${/^[^.\n]*/.exec(error.message)?.[0]}.` }
    throw error
  }
}

function periodProblem(days: Record<'from' | 'to', string>): string {
  const odd = (['from', 'to'] as const).find((name) => !isDay(days[name]))
  if (odd === undefined) {
    return days.from < earliestDay
      ? `--from must not be before ${earliestDay}.`
      : '--to must be later than --from: it is the day after the last one.'
  }
  return days[odd] === ''
    ? `--${odd} is missing.`
    : `--${odd} must be a day such as 2025-01-31, and not "${days[odd]}".`
}
