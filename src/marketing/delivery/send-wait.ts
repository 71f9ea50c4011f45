import type { CallName } from '../klaviyo/limits.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { KeyFeatureName, Scope } from '../klaviyo/key-scopes.js'
import type { PauseReason } from './call-log.js'
import { callsFor, neededBeside } from './calls-for.js'
import type { SendKind, SendState } from './send.js'

type KeyProblem = NonNullable<MarketingSettings['keyProblem']>

/**
 * Why a send waits. `nobody`: no process delivers. `run`: the next run of the delivery takes it. `turn`: it is due.
 * Moments are ISO dates, and always ahead.
 */
export type SendWait =
  | { for: 'key'; problem: KeyProblem }
  | { for: 'key-refused' | 'call-refused' | 'retired' | 'in-call' | 'nobody' | 'run' | 'turn' }
  | { for: 'scope'; feature: KeyFeatureName; scopes: readonly Scope[] }
  | { for: 'outage'; until?: string }
  | { for: 'asked' | 'limit' | 'retry'; until: string }
  | { for: 'earlier'; send: EarlierSend }

/** A send about the same person that goes first. */
interface EarlierSend {
  id: number
  acceptedAt: string
}

export interface PausedCall {
  call: CallName
  reason: PauseReason
  until: Date
  /** Whether Klaviyo refuses the key itself, or the revision. */
  isOfKey: boolean
  /** The scopes that the key lacks. */
  scopes: readonly Scope[]
}

/** What is so for all sends. */
export interface DeliveryNow {
  now: Date
  keyProblem: KeyProblem | undefined
  pauses: readonly PausedCall[]
  /** When Klaviyo's limit for a call leaves room again; a moment that is past when it does now. */
  roomAt: (call: CallName) => Date
  /** Whether a process holds the lease. */
  isDelivering: boolean
  /** Whether the shop delivers only when something begins a run. */
  deliversInRuns: boolean
}

export interface SendInQueue {
  state: SendState
  kind: SendKind
  dueAt: Date
  /** The first of its queue, unless that is itself. */
  earlier: EarlierSend | undefined
}

/** Decides by facts alone why a send waits; undefined when it does not. */
export function waitOf(send: SendInQueue, delivery: DeliveryNow): SendWait | undefined {
  const { state, kind, dueAt, earlier } = send
  const { now, keyProblem, pauses, roomAt, isDelivering, deliversInRuns } = delivery
  if (state !== 'queued' && state !== 'sending') return undefined
  if (state === 'sending' && isDelivering) return { for: 'in-call' }
  if (keyProblem !== undefined) return { for: 'key', problem: keyProblem }
  const isPutOff = dueAt > now
  const pause = whatStops(kind, {
    // After a call that failed, the other one is not tried before the send is due.
    isByAny: isPutOff,
    stopOf: (call) => pauses.find((paused) => paused.call === call),
  })
  if (pause !== undefined) return waitOfPause(pause, { kind, now })
  if (!isDelivering && !deliversInRuns) return { for: 'nobody' }
  if (earlier !== undefined) return { for: 'earlier', send: earlier }
  if (isPutOff) return { for: 'retry', until: dueAt.toISOString() }
  const full = whatStops(kind, {
    stopOf(call) {
      const until = roomAt(call)
      return until > now ? { until } : undefined
    },
  })
  if (full !== undefined) return { for: 'limit', until: full.until.toISOString() }
  return { for: isDelivering ? 'turn' : 'run' }
}

/** What each kind of send is for. */
const featureOf: Readonly<Record<SendKind, KeyFeatureName>> = {
  event: 'events',
  'past-event': 'events',
  identify: 'profiles',
  'list-add': 'lists',
  subscribe: 'subscriptions',
  consent: 'subscriptions',
  unsubscribe: 'subscriptions',
  'back-in-stock': 'backInStock',
  erase: 'erasures',
}

function waitOfPause(
  { reason, until, isOfKey, scopes }: PausedCall,
  { kind, now }: { kind: SendKind; now: Date },
): SendWait {
  switch (reason) {
    case 'scope':
      return { for: 'scope', feature: featureOf[kind], scopes }
    case 'retired':
      return { for: 'retired' }
    case 'misconfigured':
      return { for: isOfKey ? 'key-refused' : 'call-refused' }
    case 'rate-limited':
      return { for: 'asked', until: until.toISOString() }
    case 'outage':
      return { for: 'outage', ...(until > now && { until: until.toISOString() }) }
  }
}

/** What stops a kind of send: where two calls can carry it, both must be stopped, unless one is enough. */
function whatStops<Stop extends { until: Date }>(
  kind: SendKind,
  { stopOf, isByAny = false }: { stopOf: (call: CallName) => Stop | undefined; isByAny?: boolean },
): Stop | undefined {
  const { single, many } = callsFor(kind)
  const ways = [single, many].flatMap((call) => (call === undefined ? [] : [stopOf(call)]))
  const stops = ways.filter((stop) => stop !== undefined)
  const first = stops.toSorted((one, other) => one.until.getTime() - other.until.getTime())[0]
  if (first !== undefined && (isByAny || stops.length === ways.length)) return first
  return neededBeside(kind)
    .map(stopOf)
    .find((stop) => stop !== undefined)
}
