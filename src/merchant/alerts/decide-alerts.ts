import { isUntold } from './channel-state.js'
import type { MatterFacts, MatterState } from '../../core/matter.js'
import type { Alert, Channel, MessageType, Told } from './alert.js'
import type { Condition, Rules } from './conditions.js'

export type MatterStates = Readonly<Partial<Record<Condition, MatterState>>>

export interface AlertChanges {
  begin: Alert[]
  change: Alert[]
  /** Those that are over, and about which there are no more messages. */
  close: Alert[]
}

/** The least time between two messages about one condition, so that one that comes and goes causes no flood. */
const quietMs = 60 * 60_000

export const snoozeMs = 24 * 60 * 60_000

/** Until when an alert is or was put off. A moment further ahead is from before the clock was set back. */
export const snoozeEnd = (
  { snoozedUntil }: Pick<Alert, 'snoozedUntil'>,
  now: Date,
): Date | undefined =>
  snoozedUntil && snoozedUntil.getTime() - now.getTime() <= snoozeMs ? snoozedUntil : undefined

/** What is told of one condition: when, to whom, and by which settings. */
interface Round {
  now: Date
  channels: readonly Channel[]
  rule: string
}

/**
 * Chooses what to report: a condition when it begins, and then at most once an hour whether it holds and how often
 * it came back. One that was put off is reported again when that time is over. An end by changed settings is not
 * reported, as nobody knows whether the condition is over.
 */
export function decideAlerts(
  states: MatterStates,
  current: readonly Alert[],
  { rules, ...present }: Omit<Round, 'rule'> & { rules: Rules },
): AlertChanges {
  const changes: AlertChanges = { begin: [], change: [], close: [] }
  // The alerts of a product that is off now end, too.
  const conditions = [...Object.keys(rules), ...current.map(({ condition }) => condition)]
  for (const condition of new Set(conditions as Condition[])) {
    const state = states[condition] ?? 'off'
    const round = { ...present, rule: rules[condition] ?? '' }
    const alert = current.find((one) => one.condition === condition)
    if (alert === undefined) {
      if (isOpen(state)) changes.begin.push(begun(condition, state.facts, round))
      continue
    }
    const next = withMessage(withState(alert, state, round), round)
    if (next === undefined) changes.close.push(alert)
    else if (JSON.stringify(next) !== JSON.stringify(alert)) changes.change.push(next)
  }
  return changes
}

const isOpen = (state: MatterState) => typeof state === 'object' && state.isOpen

function begun(condition: Condition, facts: MatterFacts, { now, rule, channels }: Round): Alert {
  const [id, at] = [`${condition}-${now.getTime()}`, now.toISOString()]
  const told: Told = { type: 'begun', holds: true, at, times: 1, to: [...channels] }
  return {
    id,
    condition,
    begunAt: now,
    endedAt: undefined,
    facts,
    times: 1,
    rule,
    told,
    states: {},
  }
}

function withState(alert: Alert, state: MatterState, { now, rule }: Round): Alert {
  const { endedAt, over, told } = alert
  const held = endedAt === undefined
  if (state === 'unknown') return alert
  if (state === 'off') return { ...alert, endedAt: endedAt ?? now, over: undefined }
  if (state.isOpen) {
    const { facts } = state
    // Settings that are changed and changed back bring no condition back: its end was not told.
    const isBack = !held && (over !== undefined || !told.holds)
    const times = alert.times + (isBack ? 1 : 0)
    return { ...alert, endedAt: undefined, over: undefined, facts, rule, times }
  }
  if (!held) return alert
  // Under changed settings nothing is found any more, although nothing in the shop may have changed.
  const isSeen = state.over.why !== 'gone' || rule === alert.rule
  return { ...alert, endedAt: now, over: isSeen ? state.over : undefined }
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

/** The alert with the message that is due; undefined when there is nothing more to say, and all was said. */
function withMessage(alert: Alert, { now, channels }: Round): Alert | undefined {
  const { times, told, endedAt, over } = alert
  const isUnsaid = channels.some((channel) => isUntold(alert, channel))
  const closed = isUnsaid ? alert : undefined
  // A clock that was set back must not silence the alert for long.
  const isQuiet = (at: Date) => Math.abs(now.getTime() - at.getTime()) < quietMs
  if (isQuiet(new Date(told.at))) return alert
  if (endedAt !== undefined && over === undefined) return isQuiet(endedAt) ? alert : closed
  const holds = endedAt === undefined
  const snooze = snoozeState(alert, now)
  if (holds && snooze === 'now') return alert
  const type = messageType(alert, snooze === 'over')
  if (type === undefined) return holds ? alert : closed
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
      to: [...channels],
    },
  }
}

/**
 * The digest that is due, with its day in the shop, such as `2026-11-23`: about the alerts that were open at its hour
 * already, as what began later, or was put off until later, was just reported.
 */
export function digestDue<Open extends Pick<Alert, 'begunAt' | 'snoozedUntil'>>(
  open: readonly Open[],
  { now, hour, timezone }: { now: Date; hour: number; timezone: string },
): { day: string; alerts: Open[] } | undefined {
  const [day = '', time = ''] = localText(now, timezone).split(' ')
  const due = `${String(hour).padStart(2, '0')}:00`
  if (time < due) return undefined
  const reportedAt = (alert: Open) => localText(snoozeEnd(alert, now) ?? alert.begunAt, timezone)
  const alerts = open.filter((alert) => reportedAt(alert) < `${day} ${due}`)
  return alerts.length === 0 ? undefined : { day, alerts }
}

/** `2026-11-23 08:00`. Such texts sort like their moments. */
const localText = (at: Date, timezone: string): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
