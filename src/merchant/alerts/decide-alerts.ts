import { conditionNames, type AlertFacts, type Condition } from './conditions.js'

/**
 * Why a condition no longer holds. `pulled`: ShipStation has asked for orders since. `gone`: what was
 * looked for is no longer found.
 */
export interface Over {
  why: 'pulled' | 'gone'
  /** When that was seen, as an ISO date, where it is known. */
  at?: string
}

/**
 * What is true of a condition now. `unknown`: it could not be read, or another condition hides it. `off`:
 * nobody is to be told any more, because the merchant does not want to know, or does not use ShipStation or
 * Klaviyo.
 */
export type Reading =
  { holds: true; facts: AlertFacts } | { holds: false; over: Over } | 'unknown' | 'off'

export type Readings = Readonly<Record<Condition, Reading>>

/** `repeated`: it is now as the last message said, and came and went meanwhile, or was put off. */
export const messageTypes = ['begun', 'ended', 'repeated'] as const
export type MessageType = (typeof messageTypes)[number]

/** What was last said about an alert. */
export interface Told {
  type: MessageType
  /** Whether the condition held then. */
  holds: boolean
  /** When it was said, as an ISO date. */
  at: string
  /** How often it had begun by then. */
  times: number
  /** How often it has come back since the message before this one, and when that message was sent. */
  returned?: { times: number; since: string }
  /** What the ids begin with of the last messages that said that the condition holds. */
  stem: string
}

/**
 * A condition that was reported to hold. It is closed an hour after the last message about it, or after an
 * end that is not reported.
 */
export interface Alert {
  id: string
  condition: Condition
  /** When it began for the first time. */
  begunAt: Date
  /** When it ended last; undefined while the condition holds. */
  endedAt: Date | undefined
  facts: AlertFacts
  /** How often it has begun. */
  times: number
  /** The settings with which it was last seen to hold. */
  rule: string
  /** Why it ended; undefined while it holds, and when its end is not reported. */
  over?: Over | undefined
  told: Told
  /** Whether the messages that say `told` are stored. */
  isNoted: boolean
  /** Until when nobody is reminded that it holds. */
  snoozedUntil?: Date | undefined
}

export interface AlertChanges {
  begin: Alert[]
  change: Alert[]
  /** Those that are over, and about which there are no more messages. */
  close: Alert[]
}

/**
 * The least time between two messages about one condition, so that one that comes and goes causes no flood.
 * Settings that are changed and changed back within this time leave an alert as it was.
 */
const quietMs = 60 * 60_000

/** For how long a merchant puts an alert off. */
export const snoozeMs = 24 * 60 * 60_000

/**
 * Until when an alert is or was put off; undefined when it never was. A moment further ahead was noted before the
 * clock was set back, and does not count.
 */
export const snoozeEnd = (
  { snoozedUntil }: Pick<Alert, 'snoozedUntil'>,
  now: Date,
): Date | undefined =>
  snoozedUntil && snoozedUntil.getTime() - now.getTime() <= snoozeMs ? snoozedUntil : undefined

interface Present {
  now: Date
  /** The present settings of each condition, as texts to compare. */
  rules: Readonly<Record<Condition, string>>
}

/**
 * Chooses what to report: a condition when it begins, and then at most once an hour whether it holds and
 * how often it came back. One that was put off is reported again when that time is over. An alert that ends because the settings have changed is not reported, as nobody
 * knows whether the condition is over.
 */
export function decideAlerts(
  readings: Readings,
  current: readonly Alert[],
  { now, rules }: Present,
): AlertChanges {
  const changes: AlertChanges = { begin: [], change: [], close: [] }
  for (const condition of conditionNames) {
    const [reading, rule] = [readings[condition], rules[condition]]
    const alert = current.find((one) => one.condition === condition)
    if (alert === undefined) {
      if (isHolding(reading)) changes.begin.push(begun(condition, reading.facts, { now, rule }))
      continue
    }
    const next = withMessage(withReading(alert, reading, { now, rule }), now)
    if (next === undefined) changes.close.push(alert)
    else if (JSON.stringify(next) !== JSON.stringify(alert)) changes.change.push(next)
  }
  return changes
}

const isHolding = (reading: Reading) => typeof reading === 'object' && reading.holds

function begun(
  condition: Condition,
  facts: AlertFacts,
  { now, rule }: { now: Date; rule: string },
): Alert {
  const id = `${condition}-${now.getTime()}`
  const told: Told = {
    type: 'begun',
    holds: true,
    at: now.toISOString(),
    times: 1,
    stem: `${id}-begun`,
  }
  return {
    id,
    condition,
    begunAt: now,
    endedAt: undefined,
    facts,
    times: 1,
    rule,
    told,
    isNoted: false,
  }
}

/** The alert with what was read of its condition now. */
function withReading(
  alert: Alert,
  reading: Reading,
  { now, rule }: { now: Date; rule: string },
): Alert {
  const { endedAt, over, told } = alert
  const held = endedAt === undefined
  if (reading === 'unknown') return alert
  if (reading === 'off') return { ...alert, endedAt: endedAt ?? now, over: undefined }
  if (reading.holds) {
    const { facts } = reading
    // When the settings were changed and changed back, the condition did not come back: its end was not
    // told.
    const isBack = !held && (over !== undefined || !told.holds)
    const times = alert.times + (isBack ? 1 : 0)
    return { ...alert, endedAt: undefined, over: undefined, facts, rule, times }
  }
  if (!held) return alert
  // Under changed settings nothing is found any more, although nothing in the shop may have changed.
  const isSeen = reading.over.why !== 'gone' || rule === alert.rule
  return { ...alert, endedAt: now, over: isSeen ? reading.over : undefined }
}

/** Whether an alert is put off, or was since the last message about it. */
function snoozeState(alert: Alert, now: Date): 'now' | 'over' | undefined {
  const end = snoozeEnd(alert, now)
  if (end === undefined || end <= new Date(alert.told.at)) return undefined
  return end > now ? 'now' : 'over'
}

/** What is to be said of an alert; undefined when that was said already. */
function messageType(
  { endedAt, times, told }: Alert,
  wasSnoozed: boolean,
): MessageType | undefined {
  const holds = endedAt === undefined
  if (holds !== told.holds) return holds ? 'begun' : 'ended'
  return times > told.times || (holds && wasSnoozed) ? 'repeated' : undefined
}

/** The alert with the message that is due; undefined when there is nothing more to say. */
function withMessage(alert: Alert, now: Date): Alert | undefined {
  const { id, times, told, endedAt, over } = alert
  // A clock that was set back must not silence the alert for long.
  const isQuiet = (at: Date) => Math.abs(now.getTime() - at.getTime()) < quietMs
  if (isQuiet(new Date(told.at))) return alert
  if (endedAt !== undefined && over === undefined) return isQuiet(endedAt) ? alert : undefined
  const holds = endedAt === undefined
  const snooze = snoozeState(alert, now)
  if (holds && snooze === 'now') return alert
  const type = messageType(alert, snooze === 'over')
  if (type === undefined) return holds ? alert : undefined
  const returned = times - told.times
  const isMentioned = returned > (type === 'begun' ? 1 : 0)
  return {
    ...alert,
    told: {
      type,
      holds,
      at: now.toISOString(),
      times,
      ...(isMentioned && { returned: { times: returned, since: told.at } }),
      stem: holds ? `${id}-${times}-${type}${snooze ? `-${now.getTime()}` : ''}` : told.stem,
    },
    isNoted: false,
  }
}
