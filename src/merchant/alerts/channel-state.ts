import type { Alert, Channel, ChannelState, Told } from './alert.js'

const minuteMs = 60_000

/** Minutes until a message is tried again, after each failure; after the last, once an hour. */
const retryMinutes = [1, 2, 5, 15, 30, 60]

const triedForMs = 24 * 60 * minuteMs

export interface Message extends NonNullable<ChannelState['trying']> {
  channel: Channel
  /** What it is about: one alert, or those that a reminder lists. */
  alerts: Alert[]
}

export const stateIn = ({ states, wasTold = false }: Alert, channel: Channel): ChannelState =>
  states[channel] ?? { heard: wasTold }

/** What the channel is to be told next; undefined when it knows. Who never heard of an alert does not hear its end. */
function newsFor(
  { told }: Alert,
  { heard, done }: ChannelState,
  channel: Channel,
): Told | undefined {
  const isNew = told.to?.includes(channel) && done !== told.at
  return isNew && (told.holds || heard) ? told : undefined
}

/** A beginning is told though it is over by then, and its end after it. Nothing else is told that is no longer so. */
function isStillSo({ endedAt }: Alert, { told }: NonNullable<ChannelState['trying']>): boolean {
  const isOver = endedAt !== undefined
  return told === undefined ? !isOver : told.holds || isOver
}

/** Whether a channel has still to be told of an alert. */
export function isUntold(alert: Alert, channel: Channel): boolean {
  const state = stateIn(alert, channel)
  return state.trying !== undefined || newsFor(alert, state, channel) !== undefined
}

/** The state with the message that is due now; undefined when it stays as it is. */
export function stateWithNews(alert: Alert, channel: Channel): ChannelState | undefined {
  const { trying, ...state } = stateIn(alert, channel)
  if (trying && isStillSo(alert, trying)) return undefined
  const told = newsFor(alert, state, channel)
  if (told === undefined) return trying && state
  const moment = Date.parse(told.at)
  const name = told.times === 1 && told.type === 'begun' ? '' : `${moment}-`
  const id = `${alert.id}-${name}${told.type}-${channel}`
  return { ...state, trying: { id, told, since: told.at, attempts: 0, dueAt: told.at } }
}

export function stateWithReminder(
  alert: Alert,
  channel: Channel,
  { day, now }: { day: string; now: Date },
): ChannelState {
  const since = now.toISOString()
  const id = `digest-${day}-${channel}`
  return { ...stateIn(alert, channel), trying: { id, day, since, attempts: 0, dueAt: since } }
}

/** The messages on their way in a channel, in their order. */
export function messagesIn(alerts: readonly Alert[], channel: Channel): Message[] {
  const messages = new Map<string, Message>()
  for (const alert of alerts) {
    const { trying } = stateIn(alert, channel)
    if (trying === undefined) continue
    const existing = messages.get(trying.id)
    if (existing) existing.alerts.push(alert)
    else messages.set(trying.id, { ...trying, channel, alerts: [alert] })
  }
  return [...messages.values()].sort((one, other) =>
    one.since === other.since
      ? one.id.localeCompare(other.id)
      : one.since.localeCompare(other.since),
  )
}

const minutesAfter = (attempts: number): number =>
  retryMinutes[attempts] ?? retryMinutes.at(-1) ?? 0

export function isPutOff({ attempts, dueAt }: Message, now: Date): boolean {
  const waitMs = attempts === 0 ? 0 : minutesAfter(attempts - 1) * minuteMs
  return isAhead(Date.parse(dueAt), waitMs, now)
}

/** Whether a moment is to come. One further ahead than anything waits is from before the clock was set back. */
export const isAhead = (at: number, longestMs: number, now: Date): boolean =>
  at > now.getTime() && at <= now.getTime() + longestMs

/** The state while its message is being sent: it is sent again by then if nobody has stored what became of it. */
export function stateWhileSent(state: ChannelState, now: Date): ChannelState {
  const { trying } = state
  if (trying === undefined) return state
  const dueAt = new Date(now.getTime() + minutesAfter(trying.attempts) * minuteMs).toISOString()
  return { ...state, trying: { ...trying, attempts: trying.attempts + 1, dueAt } }
}

/** The state once its message was sent, or why it was not. After a day it is given up, and has no message then. */
export function stateWhenSent(
  { trying, ...state }: ChannelState,
  { error, now }: { error: string | undefined; now: Date },
): ChannelState {
  if (trying === undefined) return state
  const { told, day } = trying
  const at = now.toISOString()
  const done = { ...state, ...(told && { done: told.at }), ...(day && { reminded: day }) }
  if (error === undefined) return { ...done, heard: told?.holds ?? true, sentAt: at }
  const isGivenUp = now.getTime() - Date.parse(trying.since) > triedForMs
  return isGivenUp ? { ...done, failed: { at, error } } : { ...state, trying: { ...trying, error } }
}
