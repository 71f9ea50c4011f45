import { parseArgs, type ParseArgsConfig } from 'node:util'

import { readEnvironment } from '../environment.ts'
import { defaultService } from './carriers.ts'

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Connection {
  url: string
  username: string
  password: string
}

/** What to pull: texts go to the shop as they are, dates in UTC. */
export interface OrderFilter {
  from: Date | string
  to: Date | string
  store?: string
}

export interface PullCommand {
  name: 'pull'
  connection: Connection
  filter: OrderFilter
  jsonFile: string | undefined
  xmlFolder: string | undefined
  isPageSizeGiven: boolean
}

export interface ShipCommand {
  name: 'ship'
  connection: Connection
  orders: { numbers: string[] } | { firstProcessing: number; filter: OrderFilter }
  carrier: string
  service: string
  /** `undefined`: make one up for each order. */
  trackingNumber: string | undefined
  serviceInBodyOnly: boolean
}

export type Command = { name: 'help' } | PullCommand | ShipCommand

interface Surroundings {
  env: Record<string, string | undefined>
  now: Date
}

const SHARED_FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  url: { type: 'string' },
  username: { type: 'string' },
  password: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  store: { type: 'string' },
} as const satisfies ParseArgsConfig['options']

const PULL_FLAGS = {
  ...SHARED_FLAGS,
  json: { type: 'string' },
  xml: { type: 'string' },
  'page-size': { type: 'string' },
} as const satisfies ParseArgsConfig['options']

const SHIP_FLAGS = {
  ...SHARED_FLAGS,
  carrier: { type: 'string', default: 'USPS' },
  service: { type: 'string' },
  tracking: { type: 'string' },
  all: { type: 'boolean', default: false },
  count: { type: 'string' },
  'service-in-body-only': { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']

export function parseCommandLine(args: readonly string[], surroundings: Surroundings): Command {
  const [name, ...rest] = args
  switch (name) {
    case '--help':
    case '-h':
    case 'help':
      return { name: 'help' }
    case 'pull':
      return parsePull(rest, surroundings)
    case 'ship':
      return parseShip(rest, surroundings)
    default:
      throw new UsageError(name === undefined ? 'Say pull or ship' : `${name} is not pull or ship`)
  }
}

function parsePull(args: string[], { env, now }: Surroundings): Command {
  const { values } = usable(() => parseArgs({ args, options: PULL_FLAGS }))
  if (values.help) return { name: 'help' }
  return {
    name: 'pull',
    connection: connection(values, env),
    filter: orderFilter(values, now),
    jsonFile: values.json,
    xmlFolder: values.xml,
    isPageSizeGiven: values['page-size'] !== undefined,
  }
}

function parseShip(args: string[], { env, now }: Surroundings): Command {
  const { values, positionals: numbers } = usable(() =>
    parseArgs({ args, options: SHIP_FLAGS, allowPositionals: true }),
  )
  if (values.help) return { name: 'help' }
  const ways = [numbers.length > 0, values.all, values.count !== undefined].filter(Boolean).length
  if (ways !== 1) throw new UsageError('Give order numbers, or --all, or --count N')
  if (values.tracking !== undefined && numbers.length !== 1) {
    throw new UsageError('--tracking needs exactly one order number')
  }
  return {
    name: 'ship',
    connection: connection(values, env),
    orders:
      numbers.length > 0
        ? { numbers }
        : { firstProcessing: parseCount(values.count), filter: orderFilter(values, now) },
    carrier: values.carrier,
    service: values.service ?? defaultService(values.carrier),
    trackingNumber: values.tracking,
    serviceInBodyOnly: values['service-in-body-only'],
  }
}

/** `--all` is a count without an end. */
function parseCount(text: string | undefined): number {
  if (text === undefined) return Infinity
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new UsageError('--count must be a whole number, 1 or more')
}

const connection = (flags: Partial<Connection>, env: Surroundings['env']): Connection => ({
  url:
    flags.url ??
    env.SHIPSTATION_URL ??
    `${usable(() => readEnvironment(env)).origin}/actions/shippingconnect/orders/process`,
  username: flags.username ?? env.SHIPSTATION_USERNAME ?? 'shipstation',
  password: flags.password ?? env.SHIPSTATION_PASSWORD ?? 'shipstation-demo',
})

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000

const orderFilter = (
  flags: { from?: string; to?: string; store?: string },
  now: Date,
): OrderFilter => ({
  from: flags.from ?? new Date(now.getTime() - THIRTY_DAYS_MS),
  to: flags.to ?? now,
  ...(flags.store === undefined ? {} : { store: flags.store }),
})

function usable<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
