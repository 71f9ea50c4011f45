import type { CallName, PlatformBounds, RateReading } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import { afterCall, isProbing, probeHoldMs, resumed, type Verdict } from './call-health.js'
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
  until: Date
}

/** The calls that may be made, shared by all processes through the call logs. */
export interface CallBudget {
  look(call: CallName): Promise<CallLook>
  /** For a call that starts later than its slot's moment: the log then has the moment it starts. */
  refresh(slot: Slot): Promise<void>
  /** What calls said of the limits and of the platform. */
  report(call: CallName, report: CallReport): Promise<void>
  /** Lifts the pauses of a key that was refused. */
  resumeMisconfigured(): Promise<void>
  pauses(): Promise<CallPause[]>
}

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

  /** Writes the changed log by compare-and-set; undefined when nothing was to be changed. */
  const change = async (
    call: CallName,
    changed: (log: CallLog) => CallLog | undefined,
    first?: { log: CallLog; version: number },
  ): Promise<CallLog | undefined> => {
    let read = first ?? (await callLogs.read(call))
    for (let tries = 0; tries < writeTries; tries++) {
      const next = changed(read.log)
      if (next === undefined || next === read.log) return undefined
      if (await callLogs.write(call, next, read.version)) return next
      read = await callLogs.read(call)
    }
    return undefined
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

  const learnFrom = async (call: CallName, report: CallReport): Promise<void> => {
    let isNew = false
    const written = await change(call, (before) => {
      const at = now()
      isNew = report.isProbe || before.pauseReason === undefined
      return report.readings.reduce(
        (known, reading) => learn(known, bounds.calls[call], { reading, now: at }),
        afterCall(before, { ...report, now: at, random: random() }),
      )
    })
    if (written?.pausedUntil === undefined || !isNew) return
    const { pauseReason: reason, pausedUntil, failures } = written
    const until = new Date(pausedUntil).toISOString()
    log.warn({ call, reason, until, failures }, 'Calls to the marketing platform are paused')
  }

  return {
    async look(call) {
      const read = await callLogs.read(call)
      return {
        room: roomOf(call, read.log),
        async take(wanted) {
          let slots: Slot[] = []
          const take = (before: CallLog): CallLog | undefined => {
            const at = now()
            const isProbe = isProbing(before, at)
            const limits = bounds.calls[call]
            const taken = takeSlots(before, limits, { now: at, wanted: isProbe ? 1 : wanted })
            slots = Array.from({ length: taken.granted }, () => ({ call, at, isProbe }))
            if (taken.granted === 0) return undefined
            // The others wait for what this one call says.
            return isProbe ? { ...taken.log, pausedUntil: at + probeHoldMs } : taken.log
          }
          return (await change(call, take, read)) === undefined ? [] : slots
        },
      }
    },

    async refresh(slot) {
      const at = now()
      if (at - slot.at <= slotFreshMs) return
      await change(slot.call, (before) => moveSlot(before, slot.at, at))
    },

    async report(call, report) {
      // A key that is refused is so by every call; a scope is missing for some.
      const isForAll = report.verdict === 'misconfigured' && report.isKeyRefused === true
      await learnFrom(call, report)
      if (!isForAll) return
      const others = names.filter((name) => name !== call)
      const pause = (before: CallLog) =>
        isMisconfigured(before) && (before.pausedUntil ?? 0) > now()
          ? undefined
          : afterCall(before, { verdict: 'misconfigured', isProbe: false, now: now(), random: 0 })
      await Promise.all(others.map((name) => change(name, pause)))
    },

    async resumeMisconfigured() {
      const resume = (before: CallLog) => (isMisconfigured(before) ? resumed(before) : undefined)
      await Promise.all(names.map((name) => change(name, resume)))
    },

    async pauses() {
      const logs = await Promise.all(
        names.map(async (call) => ({ call, ...(await callLogs.read(call)).log })),
      )
      return logs.flatMap(({ call, pausedUntil, pauseReason }) =>
        pauseReason !== undefined && (pauseReason !== 'rate-limited' || (pausedUntil ?? 0) > now())
          ? [{ call, reason: pauseReason, until: new Date(pausedUntil ?? now()) }]
          : [],
      )
    },
  }
}

const isMisconfigured = ({ pauseReason }: CallLog) => pauseReason === 'misconfigured'
