import { resolveText } from './environment-reference.js'

/** The events that changes in the shop send by themselves. */
export const builtInEvents = [
  'updatedCart',
  'startedCheckout',
  'placedOrder',
  'orderedProduct',
  'statusChanged',
  'refundedOrder',
] as const

export type BuiltInEvent = (typeof builtInEvents)[number]

/** What the event of a status is called. */
export interface StatusEvent {
  /** The status's handle. */
  status: string
  /** The event's name, without the prefix. */
  event: string
}

/** The marketing settings as a merchant wrote them. */
export interface StoredMarketingSettings {
  /** Klaviyo's private API key, or `$NAME` or `${NAME}`. Blank: sends wait. */
  privateApiKey: string
  /** Put in front of every event's name, with one space. */
  eventPrefix: string
  /** Which built-in events are sent. */
  builtInEvents: Record<BuiltInEvent, boolean>
  /**
   * Names of the events of statuses that differ from `<Status> Order`: `shipped`, `Fulfilled Order`.
   */
  statusEvents: readonly StatusEvent[]
  /** Whether a profile is told anew when the user's account is saved. */
  accountUpdates: boolean
  /** Names that a post may track, without the prefix. Empty: any. */
  allowedEvents: readonly string[]
  /** Lists that a post may name. Empty: any. */
  allowedLists: readonly string[]
  /** Posts a minute from one network address. 0: no limit. */
  postsPerAddress: number
  /** Posts a minute from one network (IPv4 /24, IPv6 /64). 0: no limit. */
  postsPerNetwork: number
  /** Minutes in which the same post again is a repeat. 0: never. */
  foldMinutes: number
  /** Days that delivered sends stay listed. */
  retentionDays: number
}

/** The same, as they are read. */
export interface ReadMarketingSettings extends StoredMarketingSettings {
  /** The key was saved with another PAYLOAD_SECRET. It is blank then. */
  isKeyUnreadable?: boolean
}

/** The marketing settings ready for use: variables read, numbers sane. */
export interface MarketingSettings extends StoredMarketingSettings {
  /** Why there is no key, for the merchant; undefined when there is one. */
  keyProblem: 'missing' | 'variable-missing' | 'unreadable' | undefined
}

export const defaultMarketingSettings: Readonly<StoredMarketingSettings> = {
  privateApiKey: '',
  eventPrefix: '',
  builtInEvents: {
    updatedCart: true,
    startedCheckout: true,
    placedOrder: true,
    orderedProduct: true,
    statusChanged: true,
    refundedOrder: true,
  },
  statusEvents: [],
  accountUpdates: true,
  allowedEvents: [],
  allowedLists: [],
  postsPerAddress: 60,
  postsPerNetwork: 300,
  foldMinutes: 2,
  retentionDays: 30,
}

/** Reads the variable that the key names and puts numbers that make no sense right. */
export function resolveMarketingSettings(
  { isKeyUnreadable, ...stored }: ReadMarketingSettings,
  environment: NodeJS.ProcessEnv,
): MarketingSettings {
  const key = resolveText(stored.privateApiKey, environment)
  const privateApiKey = key.value.trim()
  const whyBlank = key.missingVariable === undefined ? 'missing' : 'variable-missing'
  const keyProblem = isKeyUnreadable ? 'unreadable' : whyBlank
  return {
    ...stored,
    privateApiKey,
    keyProblem: privateApiKey === '' ? keyProblem : undefined,
    eventPrefix: stored.eventPrefix.trim(),
    statusEvents: complete(stored.statusEvents),
    allowedEvents: filled(stored.allowedEvents),
    allowedLists: filled(stored.allowedLists),
    postsPerAddress: atLeastZero(stored.postsPerAddress, 'postsPerAddress'),
    postsPerNetwork: atLeastZero(stored.postsPerNetwork, 'postsPerNetwork'),
    foldMinutes: atLeastZero(stored.foldMinutes, 'foldMinutes'),
    retentionDays: atLeastZero(stored.retentionDays, 'retentionDays'),
  }
}

const filled = (texts: readonly string[]) => texts.map((text) => text.trim()).filter(Boolean)

/** Rows with both a status and a name; of rows for the same status the first. */
function complete(rows: readonly StatusEvent[]): StatusEvent[] {
  const byStatus = new Map<string, StatusEvent>()
  for (const row of rows) {
    const status = row.status.trim()
    const event = row.event.trim()
    if (status !== '' && event !== '' && !byStatus.has(status)) {
      byStatus.set(status, { status, event })
    }
  }
  return [...byStatus.values()]
}

type NumberSetting = 'postsPerAddress' | 'postsPerNetwork' | 'foldMinutes' | 'retentionDays'

const atLeastZero = (value: number, name: NumberSetting): number =>
  Number.isFinite(value) && value >= 0 ? value : defaultMarketingSettings[name]
