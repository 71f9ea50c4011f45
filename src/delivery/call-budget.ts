import type { CallName, PlatformBounds, RateReading } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import {
  afterCall,
  isProbing,
  logForKey,
  markOfKey,
  pausedFor,
  probeHoldMs,
  resumed,
  type Verdict,
} from './call-health.js'
import type { CallLog, CallLogStore } from './call-log.js'
import {
  callsSince,
  freeSlots,
  learn,
  moveSlot,
  nextSlotAt,
  slotFreshMs,
  takeSlots,
} from './call-slots.js'
import type { Clock } from './clock.js'
import type { CallRoom } from './next-call.js'

/** The right to make one call. */
export interface Slot {
  call: CallName
  /** Mark of the key that the call is made with. */
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** The first call after a pause: it is made with one item. */
  isProbe: boolean
}

export interface CallLook {
  room: CallRoom
  /** As many slots as there are, none when others were faster. */
  take(wanted: number): Promise<Slot[]>
}

export interface CallReport {
  verdict: Verdict
  readings: readonly RateReading[]
  isProbe: boolean
  /** For a misconfigured platform: whether the key itself is refused, not one of its scopes. */
  isKeyRefused?: boolean
}

export interface CallPause {
  call: CallName
  reason: string
  since: Date
  until: Date
}

/** The calls that may be made, shared by all processes through the call logs. */
export interface CallBudget {
  look(call: CallName, apiKey: string): Promise<CallLook>
  /** For a call that starts later than its slot's moment: the log then has the moment it starts. */
  refresh(slot: Slot): Promise<void>
  /** For a call that was not made: were it to end a pause, another one may do so at once. */
  unused(slot: Slot): Promise<void>
  /** What calls said of the limits and of the platform. */
  report(made: LogOfCall, report: CallReport): Promise<void>
  /** The pauses that hold for that key. */
  pauses(apiKey: string): Promise<CallPause[]>
}

type LogOfCall = Pick<Slot, 'call' | 'key'>
type ReadLog = Awaited<ReturnType<CallLogStore['read']>>

/** Tries to write a call log before the others are left to it. */
const writeTries = 20

export interface BudgetParts {
  callLogs: CallLogStore
  bounds: PlatformBounds
  clock: Clock
  random: () => number
  log: Log
}

export function createCallBudget({
  callLogs,
  bounds,
  clock,
  random,
  log,
}: BudgetParts): CallBudget {
  const names = Object.keys(bounds.calls) as CallName[]
  const now = () => clock.now().getTime()

  const read = async ({ call, key }: LogOfCall): Promise<ReadLog> => {
    const { log, version } = await callLogs.read(call)
    return { log: logForKey(log, key), version }
  }

  /** Writes the changed log by compare-and-set; undefined when nothing was to be changed. */
  const change = async (
    of: LogOfCall,
    changed: (log: CallLog) => CallLog | undefined,
    first?: ReadLog,
  ): Promise<CallLog | undefined> => {
    let known = first ?? (await read(of))
    for (let tries = 0; tries < writeTries; tries++) {
      const next = changed(known.log)
      if (next === undefined || next === known.log) return undefined
      const marked = pausedFor(next, of.key)
      if (await callLogs.write(of.call, marked, known.version)) return marked
      known = await read(of)
    }
    return undefined
  }

  const changeOthers = async (
    { call, key }: LogOfCall,
    changed: (log: CallLog) => CallLog | undefined,
  ): Promise<void> => {
    const others = names.filter((name) => name !== call)
    await Promise.all(others.map((name) => change({ call: name, key }, changed)))
  }

  const roomOf = (call: CallName, callLog: CallLog): CallRoom => {
    const limits = bounds.calls[call]
    const isProbe = isProbing(callLog, now())
    const free = freeSlots(callLog, limits, now())
    return {
      free: isProbe ? Math.min(1, free) : free,
      nextAt: nextSlotAt(callLog, limits, now()),
      lastAt: callLog.calls.at(-1)?.[0] ?? 0,
      recent: callsSince(callLog, now() - 1_000),
      paceMs: 60_000 / (callLog.steadyLimit ?? limits.steady),
      isProbe,
    }
  }

  const learnFrom = async (made: LogOfCall, report: CallReport, first: ReadLog): Promise<void> => {
    const { call } = made
    let isNew = false
    const learned = (before: CallLog): CallLog => {
      const at = now()
      isNew = report.isProbe || before.pauseReason === undefined
      return report.readings.reduce(
        (known, reading) => learn(known, bounds.calls[call], { reading, now: at }),
        afterCall(before, { ...report, now: at, random: random() }),
      )
    }
    const written = await change(made, learned, first)
    if (written?.pausedUntil === undefined || !isNew) return
    const { pauseReason: reason, pausedUntil, failures } = written
    const until = new Date(pausedUntil).toISOString()
    log.warn({ call, reason, until, failures }, 'Calls to the marketing platform are paused')
  }

  return {
    async look(call, apiKey) {
      const of = { call, key: markOfKey(apiKey) }
      const first = await read(of)
      return {
        room: roomOf(call, first.log),
        async take(wanted) {
          let slots: Slot[] = []
          const take = (before: CallLog): CallLog | undefined => {
            const at = now()
            const isProbe = isProbing(before, at)
            const limits = bounds.calls[call]
            const taken = takeSlots(before, limits, { now: at, wanted: isProbe ? 1 : wanted })
            slots = Array.from({ length: taken.granted }, () => ({ ...of, at, isProbe }))
            if (taken.granted === 0) return undefined
            // The others wait for what this one call says.
            return isProbe ? { ...taken.log, pausedUntil: at + probeHoldMs } : taken.log
          }
          return (await change(of, take, first)) === undefined ? [] : slots
        },
      }
    },

    async refresh(slot) {
      const at = now()
      if (at - slot.at <= slotFreshMs) return
      await change(slot, (before) => moveSlot(before, slot.at, at))
    },

    async unused(slot) {
      if (!slot.isProbe) return
      const isHeld = ({ pausedUntil }: CallLog) => pausedUntil === slot.at + probeHoldMs
      await change(slot, (before) =>
        isHeld(before) ? { ...before, pausedUntil: now() } : undefined,
      )
    },

    async report(made, report) {
      // A key that is refused, or taken again, is so by every call; a scope is missing for some.
      const isKeyRefused = report.verdict === 'misconfigured' && report.isKeyRefused === true
      const first = await read(made)
      // The others first: were this process to end in between, the next probe would do it again.
      if (report.verdict === 'answered' && first.log.isKeyRefused) {
        await changeOthers(made, (before) => (before.isKeyRefused ? resumed(before) : undefined))
      }
      await learnFrom(made, report, first)
      if (!isKeyRefused) return
      await changeOthers(made, (before) =>
        isMisconfigured(before) && (before.pausedUntil ?? 0) > now()
          ? undefined
          : afterCall(before, { ...report, isProbe: false, now: now(), random: 0 }),
      )
    },

    async pauses(apiKey) {
      const key = markOfKey(apiKey)
      const logs = await Promise.all(
        names.map(async (call) => ({ call, ...(await read({ call, key })).log })),
      )
      return logs.flatMap(({ call, pausedSince, pausedUntil = now(), pauseReason: reason }) =>
        reason !== undefined && (reason !== 'rate-limited' || pausedUntil > now())
          ? [{ call, reason, since: new Date(pausedSince ?? now()), until: new Date(pausedUntil) }]
          : [],
      )
    },
  }
}

const isMisconfigured = ({ pauseReason }: CallLog) => pauseReason === 'misconfigured'
