import { parseArgs } from 'node:util'
import {
  earliestDay,
  isDay,
  readPeriod,
  type HistoryPeriod,
} from '../../marketing/history/period.js'

/** The exit codes of the command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, declined: 3, busy: 4, left: 130 } as const

interface SyncOrdersArguments {
  period: HistoryPeriod
  /** Begins without asking. */
  isSure: boolean
  /** Delivers in this process too, and stays until everything is sent or nothing moves any more. */
  waits: boolean
}

export const usage = `Usage: storeconnect sync-orders --from 2025-01-01 --to 2026-01-01 [--yes] [--wait]

Sends past orders to Klaviyo, with their own dates. They start no flows.
An event that is still listed under Sends (for 30 days, unless the settings say
otherwise) is not sent again. An older one is sent again, but Klaviyo knows its
unique id and does not count it twice.

  --from  The first day
  --to    The day after the last one
  --yes   Begins without asking
  --wait  Delivers here too, and shows the progress until all is sent or nothing moves
  --help  Shows this text
`

/** What the arguments ask for: a run, or only a text. */
export type Call = { wanted: SyncOrdersArguments } | { problem: string } | 'help'

/** The text for a call that only shows help or a mistake in the arguments. */
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
    // An option is unknown or lacks its value. Only the first sentence of Node's message helps here.
    if (error instanceof TypeError) return { problem: `${/^[^.\n]*/.exec(error.message)?.[0]}.` }
    throw error
  }
}

function periodProblem(days: Record<'from' | 'to', string>): string {
  const wrongDay = (['from', 'to'] as const).find((name) => !isDay(days[name]))
  if (wrongDay === undefined) {
    return days.from < earliestDay
      ? `--from must not be before ${earliestDay}.`
      : '--to must be later than --from: it is the day after the last one.'
  }
  return days[wrongDay] === ''
    ? `--${wrongDay} is missing.`
    : `--${wrongDay} must be a day such as 2025-01-31, and not "${days[wrongDay]}".`
}
