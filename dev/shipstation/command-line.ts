import { parseArgs } from 'node:util'
import { readEnvironment, demoShippingPassword } from '../environment.ts'
import { defaultService } from '../../src/mounts/cli/shipstation/carriers.js'

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
}

export interface ShipCommand {
  name: 'ship'
  connection: Connection
  orders: { numbers: string[] } | { firstProcessing: number; filter: OrderFilter }
  carrier: string
  service: string
  /** `undefined`: make one up for each order. */
  trackingNumber: string | undefined
}

export type Command = { name: 'help' } | PullCommand | ShipCommand

interface Surroundings {
  env: Record<string, string | undefined>
  now: Date
}

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  url: { type: 'string' },
  username: { type: 'string' },
  password: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  store: { type: 'string' },
  carrier: { type: 'string', default: 'USPS' },
  service: { type: 'string' },
  tracking: { type: 'string' },
  all: { type: 'boolean', default: false },
  count: { type: 'string' },
} as const

export function parseCommandLine(args: string[], { env, now }: Surroundings): Command {
  const { values, positionals } = usable(() => parseArgs({ args, options, allowPositionals: true }))
  const [name, ...numbers] = positionals
  if (values.help || name === 'help') return { name: 'help' }
  const connection = usable(() => connectionOf(values, env))
  const filter = {
    from: values.from ?? new Date(now.getTime() - THIRTY_DAYS_MS),
    to: values.to ?? now,
    ...(values.store !== undefined && { store: values.store }),
  }
  if (name === 'pull' && numbers.length === 0) return { name, connection, filter }
  if (name !== 'ship') throw new UsageError('Say pull or ship')
  const ways = [numbers.length > 0, values.all, values.count !== undefined].filter(Boolean).length
  if (ways !== 1) throw new UsageError('Give order numbers, or --all, or --count N')
  if (values.tracking !== undefined && numbers.length !== 1) {
    throw new UsageError('--tracking needs exactly one order number')
  }
  return {
    name,
    connection,
    orders:
      numbers.length > 0 ? { numbers } : { firstProcessing: parseCount(values.count), filter },
    carrier: values.carrier,
    service: values.service ?? defaultService(values.carrier),
    trackingNumber: values.tracking,
  }
}

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000

/** `--all` is a count without an end. */
function parseCount(text: string | undefined): number {
  if (text === undefined) return Infinity
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new UsageError('--count must be a whole number, 1 or more')
}

const connectionOf = (flags: Partial<Connection>, env: Surroundings['env']): Connection => ({
  url:
    flags.url ??
    env.SHIPSTATION_URL ??
    `${readEnvironment(env).origin}/actions/shippingconnect/orders/process`,
  username: flags.username ?? env.SHIPSTATION_USERNAME ?? 'shipstation',
  password: flags.password ?? env.SHIPSTATION_PASSWORD ?? demoShippingPassword,
})

function usable<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
