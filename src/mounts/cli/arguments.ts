import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readEmail } from '../../core/people/email.js'
import {
  earliestDay,
  isDay,
  readPeriod,
  type HistoryPeriod,
} from '../../marketing/history/period.js'
import { orderChoices, type OrderChoice } from '../../merchant/erasure/erasure-options.js'

/** The exit codes of the commands. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Something is left to a person, as with the installer. */
  open: 2,
  usage: 2,
  declined: 3,
  busy: 4,
  again: 75,
  left: 130,
} as const

/** A text to show in place of a run: what was asked for, or why the arguments are wrong. */
export interface Explanation {
  text: string
  exitCode: number
}

export type Call<Wanted> = { wanted: Wanted } | Explanation

/** How to call a command; after the problem, if there is one. */
export const explained = (usage: string, problem?: string): Explanation =>
  problem === undefined
    ? { text: usage, exitCode: exitCodes.done }
    : { text: `${problem}\n\n${usage}`, exitCode: exitCodes.usage }

interface SyncOrdersArguments {
  period: HistoryPeriod
  /** Begins without asking. */
  isSure: boolean
  /** Delivers in this process too, and stays until everything is sent or nothing moves any more. */
  waits: boolean
}

const syncOrdersUsage = `Usage: storeconnect sync-orders --from 2025-01-01 --to 2026-01-01 [--yes] [--wait]

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

export function readSyncOrdersArguments(given: readonly string[]): Call<SyncOrdersArguments> {
  const explain = (problem?: string) => explained(syncOrdersUsage, problem)
  const parsed = parse({
    args: [...given],
    options: {
      from: { type: 'string', default: '' },
      to: { type: 'string', default: '' },
      yes: { type: 'boolean', default: false },
      wait: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if ('problem' in parsed) return explain(parsed.problem)
  const { values } = parsed
  if (values.help) return explain()
  const period = readPeriod(values)
  if (period === undefined) return explain(periodProblem(values))
  return { wanted: { period, isSure: values.yes, waits: values.wait } }
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

interface EraseArguments {
  email: string
  /** Undefined: what the store's options say. */
  orders: OrderChoice | undefined
  /** Erases without asking. */
  isSure: boolean
}

const eraseUsage = `Usage: storeconnect erase ada@example.com [--orders keep|anonymise] [--yes]

Erases the person with this email: the customer account, the addresses, what waits
for Klaviyo or was sent, and the person's part in carts. Klaviyo is asked to delete
the profile. It cannot be undone.

  --orders  keep: orders and payments stay as they are; anonymise: they lose the
            person. Without it, the store's options decide.
  --yes     Erases without asking
`

export function readEraseArguments(given: readonly string[]): Call<EraseArguments> {
  const explain = (problem?: string) => explained(eraseUsage, problem)
  const parsed = parse({
    args: [...given],
    allowPositionals: true,
    options: {
      orders: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if ('problem' in parsed) return explain(parsed.problem)
  const { values, positionals } = parsed
  if (values.help) return explain()
  const [text, ...more] = positionals
  if (text === undefined) return explain('Whom? Name the email.')
  if (more.length > 0) return explain('One email at a time.')
  const email = readEmail(text)
  if (email === undefined) return explain('This is not an email address.')
  const orders = orderChoices.find((choice) => choice === values.orders)
  if (values.orders !== undefined && orders === undefined) {
    return explain('--orders is keep or anonymise.')
  }
  return { wanted: { email, orders, isSure: values.yes } }
}

/** Reads the arguments of a command, or says what is wrong with them. */
export function parse<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | { problem: string } {
  try {
    return parseArgs(config)
  } catch (error) {
    // An option is unknown or lacks its value. Only the first sentence of Node's message helps here.
    if (error instanceof TypeError) return { problem: `${/^[^.\n]*/.exec(error.message)?.[0]}.` }
    throw error
  }
}
