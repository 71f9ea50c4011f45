import type { MarketingSettings } from '../marketing-settings/marketing-settings.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'
import type { CallName, MarketingPlatform } from '../klaviyo/platform.js'
import type { Log } from '../database/log.js'
import { createCallBudget } from './call-budget.js'
import { createCallPlanner, soonest, type PlannedCalls } from './call-planner.js'
import { aheadOf, logsAt } from './call-log.js'
import type { Clock } from '../workers/clock.js'
import { LeaseLost, type DeliveryStore, type ReadFrom } from './delivery-store.js'
import { groupWrites } from './group-writes.js'
import { createImportJobs } from './import-jobs.js'
import type { Lease } from './lease.js'
import { putOffSuspects, settleLostCalls } from './lost-calls.js'
import { createPlatformCall, type Question } from './platform-call.js'
import { createProfileQueues } from './profile-queues.js'
import { createSendBatch, type AccountConsents } from './send-batch.js'
import {
  knownForMs,
  sendKinds,
  type Send,
  type SendKind,
  type Settlement,
  type WaitingSend,
} from './send.js'

export interface DeliverySessionParts {
  store: DeliveryStore
  lease: Lease
  platform: MarketingPlatform
  /** Default: no customer's document says anything. */
  accountConsents?: AccountConsents
  settings: () => Promise<Pick<MarketingSettings, 'followUnsubscribes'>>
  log: Log
  clock: Clock
  /** The clock of all waits. Default `clock`. */
  waits?: Clock
  /** A random number of at least 0 and less than 1. Default `Math.random`. */
  random?: () => number
  /** A signal that ends a call after this many milliseconds. Default `AbortSignal.timeout`. */
  deadline?: (ms: number) => AbortSignal
  /** Called when a call has ended, because the sends that waited for it may go now. */
  onChange: () => void
}

export interface Poll {
  begun: number
  /** When to poll again, in milliseconds since 1970; undefined when nothing waits. */
  nextAt: number | undefined
  /** Whether calls are under way. The end of one is a reason to poll again. */
  isBusy: boolean
}

/** How many sends of a kind are read ahead: enough for two full calls. */
const readAhead = 10_000

/** Sends of a kind in one statement. */
const readAtOnce = 250

/** Statements of one look: enough for a full call of events. */
const readsOfLook = 4

/** Blocked sends are read in the order of their ids, and what blocks them has the lowest. */
const blockersAtOnce = 500

/** Calls of a kind, or groups of single ones, at once: one that hangs must not stop the others. */
const callsAtOnce = 4

/** Other processes store sends too, and SQLite does not notify us. */
const readEveryMs = 1_000

/** With this few sends in memory, reading missed sends costs no more than reading new ones. */
const fewInMemory = 500

/** Otherwise missed sends are read this often for each send in memory, and once a second at most. */
const lookBackMsOfSend = 1

const renewEveryMs = 2_000

/** The wait before a failed write is tried again. */
const errorWaitMs = 500

/** As much as the clocks of two machines usually differ. */
const clocksDifferByMs = 10_000

/** Sends in one statement. More save nothing, because its cost grows with its rows. */
const settledAtOnce = 5_000

/** The work of a process while it holds the lease: it makes the calls for queues in memory. */
export async function openDeliverySession(parts: DeliverySessionParts) {
  const { store, lease, platform, log, clock, waits = clock, onChange } = parts
  const { accountConsents = () => Promise.resolve(new Map<string, never>()) } = parts
  const { random = Math.random, deadline = (ms) => AbortSignal.timeout(ms) } = parts
  const { bounds } = platform
  const now = () => waits.now().getTime()
  /** The process that delivered before may have a clock that is ahead of this one. */
  const aheadMs = aheadOf(now(), lease.calls)
  const queues = createProfileQueues()
  const running = new Set<Promise<void>>()
  const callsUnderWay = perKind(() => 0)
  /** The last id that was read of each kind. */
  const readTo = perKind(() => 0)
  /** When missed sends of each kind were last read. */
  const lookedBackAt = perKind(() => performance.now())
  let begun = 0
  let isStale = true
  let readAt = performance.now()
  let callNumber = 0
  /** Why the session ended: another process delivers, or the state of the database is uncertain. */
  let ended: 'lost' | 'in doubt' | undefined

  const begin = (what: () => Promise<void>): void => {
    const run: Promise<void> = what()
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) ended = 'lost'
        else log.error({ err: error }, 'The delivery failed and will try again')
      })
      .finally(() => {
        running.delete(run)
        onChange()
      })
    running.add(run)
  }

  const budget = createCallBudget({
    logs: logsAt(now(), lease.calls),
    bounds,
    clock: waits,
    random,
    log,
    onRecovered(call) {
      const kinds = kindsOf[call] ?? []
      queues.release(kinds, now())
      begin(() => store.release(kinds, lease, waits.now()))
    },
    onPause: () => begin(renew),
  })
  const platformCall = createPlatformCall({
    budget,
    clock: waits,
    log,
    deadline,
    leaseMs: () => (ended === undefined ? lease.remainingMs() : 0),
  })
  const jobs = createImportJobs({
    platform,
    store,
    lease,
    platformCall,
    clock: waits,
    random,
    log,
    onEnd(ids) {
      queues.endHold(ids)
      isStale = true
    },
  })
  const settle = groupWrites<Settlement>(settledAtOnce, async (settlements) => {
    await untilWritten(settlements)
    settlements.forEach(settled)
  })
  const planCalls = createCallPlanner({ queues, budget, bounds, clock: waits })
  const sendBatch = createSendBatch({
    platform,
    store,
    accountConsents,
    settings: parts.settings,
    budget,
    platformCall,
    clock: waits,
    random,
    settle,
  })

  /** Retries, because a short outage of the database must not send delivered sends again. */
  async function untilWritten(settlements: readonly Settlement[]): Promise<void> {
    for (;;) {
      try {
        return await store.settle(settlements, lease, clock.now())
      } catch (error) {
        if (lease.remainingMs() <= 0) throw new LeaseLost()
        log.error(
          { err: error },
          'The results of a call could not be stored; they are written again',
        )
        await new Promise((resolve) => setTimeout(resolve, errorWaitMs))
      }
    }
  }

  function settled(settlement: Settlement): void {
    const { id } = settlement
    const send = queues.get(id)
    if (send === undefined) return
    if (settlement.to === 'queued') {
      const { nextAttemptAt, attempts, batchSize, isUnanswered = false } = settlement
      Object.assign(send, { dueAt: nextAttemptAt.getTime(), attempts, batchSize, isUnanswered })
      return
    }
    if (settlement.to === 'sent' && (send.kind === 'event' || send.kind === 'identify')) {
      queues.queueOf(send).knownUntil = now() + knownForMs
    }
    if (settlement.to === 'sending') queues.hold(send, settlement.until.getTime())
    if ('job' in settlement) jobs.jobStarted()
    queues.drop([id])
  }

  /** Takes over the sends that the previous deliverer had in calls and imports. */
  async function takeOver(): Promise<void> {
    if (aheadMs > 0) await store.bringForward(aheadMs, lease)
    const inFlight = await store.readInFlight(clock.now())
    const lost = inFlight.filter(({ job }) => job === undefined)
    for (const send of inFlight) if (send.job !== undefined) queues.hold(send, send.dueAt)
    if (lost.length === 0) return
    await store.settle(settleLostCalls(lost, waits.now()), lease, clock.now())
    const suspects = await store.readSuspects(clock.now())
    await store.putOff(putOffSuspects(suspects, waits.now()), lease)
  }

  /**
   * False while calls with another key are under way. The new key may be that of another account, which
   * does not know the profiles that were made with the old one.
   */
  function mayUse(apiKey: string): boolean {
    const mark = markOfKey(apiKey)
    if (mark === budget.key()) return true
    if (sendKinds.some((kind) => callsUnderWay[kind] > 0)) return false
    budget.useKey(mark)
    queues.forgetKnown()
    return true
  }

  async function read(): Promise<void> {
    const isLongAgo = performance.now() - readAt > readEveryMs
    if (!isStale && !isLongAgo) return
    isStale = false
    readAt = performance.now()
    const kinds = sendKinds.filter(looksBack)
    const missed = await readMissed(kinds, readFrom())
    for (const send of missed) add(send)
    let isMore = true
    for (let reads = 0; isMore && reads < readsOfLook; reads++) isMore = await readNext()
    if (isMore) isStale = true
  }

  /** Reads the next sends of each kind. Resolves to whether there are more. */
  async function readNext(): Promise<boolean> {
    const from = readFrom()
    const found = await store.readWaiting(from, clock.now())
    // They come in the order of their ids.
    for (const send of found) {
      readTo[send.kind] = send.id
      add(send)
    }
    return sendKinds.some((kind) => {
      const { limit } = from[kind]
      return limit > 0 && found.filter((send) => send.kind === kind).length === limit
    })
  }

  function add(send: WaitingSend): void {
    const madeAt = send.knownUntil - knownForMs
    // A moment ahead is of a clock that was set back, and may have passed long ago.
    const isKnown = madeAt > budget.keySince() && madeAt <= now() + clocksDifferByMs
    // The process that stored it may have a clock that is ahead. Nothing waits longer than it should.
    const waitMs = send.dueAt - send.acceptedAt.getTime()
    const dueAt = waitMs < 0 ? send.dueAt : Math.min(send.dueAt, now() + waitMs)
    queues.add({ ...send, dueAt, knownUntil: isKnown ? send.knownUntil : 0 })
  }

  const readFrom = (): ReadFrom =>
    perKind((kind) => ({
      behind: readTo[kind],
      limit: Math.max(0, Math.min(readAtOnce, readAhead - queues.count(kind))),
    }))

  const looksBack = (kind: SendKind): boolean => {
    const size = queues.count(kind)
    const waitMs = size <= fewInMemory ? 0 : Math.max(readEveryMs, size * lookBackMsOfSend)
    return performance.now() - lookedBackAt[kind] >= waitMs
  }

  /** Sends below the last read id that were resent, or whose write committed late. */
  async function readMissed(kinds: readonly SendKind[], from: ReadFrom): Promise<WaitingSend[]> {
    for (const kind of kinds) lookedBackAt[kind] = performance.now()
    const waiting = await store.readWaitingIds(kinds, from)
    const missed = waiting.filter((id) => queues.get(id) === undefined)
    return missed.length === 0 ? [] : store.readByIds(missed, clock.now())
  }

  async function endOldImports(): Promise<void> {
    const old = [...queues.imports].filter(([, { until }]) => until <= now()).map(([id]) => id)
    if (old.length === 0) return
    await store.endImportWait(old, lease, clock.now())
    queues.endHold(old)
  }

  /** Begins the calls of a kind that can be made now. Returns when to look again. */
  function beginCalls(kind: SendKind, apiKey: string): number | undefined {
    // At the limit there is no moment to return: the end of a call wakes the delivery.
    while (callsUnderWay[kind] < callsAtOnce) {
      const plan = planCalls(kind, apiKey)
      if (!('permits' in plan)) return plan.nextAt
      for (const { queue } of plan.parts) queues.setBusy(queue, true)
      callsUnderWay[kind] += 1
      begun += 1
      begin(() =>
        makeCalls(plan).finally(() => {
          for (const { queue } of plan.parts) queues.setBusy(queue, false)
          callsUnderWay[kind] -= 1
        }),
      )
    }
    return undefined
  }

  async function makeCalls(planned: PlannedCalls): Promise<void> {
    const wanted = planned.parts.map(({ sends }) => sends)
    const calls = planned.isOneByOne ? wanted : [wanted.flat()]
    try {
      const messages = await store.begin(calls.map(nameCall), lease, budget.logs())
      const refused = idsOf(wanted.flat()).filter((id) => !messages.has(id))
      if (refused.length > 0) begin(() => readBlockers(refused))
      const filled = wanted.map((sends) =>
        sends.flatMap((send): Send[] => {
          const message = messages.get(send.id)
          return message ? [{ ...send, message }] : []
        }),
      )
      await sendBatch(filled, planned)
    } catch (error) {
      // Some sends may be marked or sent. The next session reads the true state from the database.
      ended ??= 'in doubt'
      throw error
    }
  }

  /**
   * Reads the earlier sends that block these. They are of another kind and not in memory yet, because
   * each kind is read at its own pace.
   */
  async function readBlockers(refused: readonly number[]): Promise<void> {
    queues.drop(refused)
    const found = await store.readOfProfiles(refused, { limit: blockersAtOnce, now: clock.now() })
    for (const send of found) add(send)
  }

  const nameCall = (sends: readonly WaitingSend[]) => ({
    name: `${lease.epoch}-${++callNumber}`,
    sends,
  })

  async function renew(): Promise<void> {
    if (!(await lease.renew(budget.logs()))) throw new LeaseLost()
  }
  const renewing = setInterval(() => begin(renew), renewEveryMs)
  renewing.unref()

  await takeOver().catch((error: unknown) => {
    clearInterval(renewing)
    throw error
  })

  return {
    running,

    /** True in a statement while this process holds the lease. */
    isLeaseHeld: lease.isHeld,
    isOpen: (): boolean => ended === undefined && lease.remainingMs() > 0,

    logs: () => budget.logs(),

    /** Asks the platform within its limits, for work beside the sends. */
    ask: <Result>(question: Question<Result>) =>
      mayUse(question.apiKey)
        ? platformCall.ask(question)
        : Promise.resolve({ putOffUntil: now() + readEveryMs }),

    /** Makes the next poll read what was stored. */
    wake(): void {
      isStale = true
    },

    /** Reads new sends and begins the calls that can be made now. Without a key nothing is sent. */
    async poll(apiKey: string | undefined): Promise<Poll> {
      if (apiKey === undefined || !mayUse(apiKey)) {
        return { begun: 0, nextAt: undefined, isBusy: running.size > 0 }
      }
      const before = begun
      await read()
      await endOldImports()
      const { questions, nextAt: questionsAt } = await jobs.due(apiKey)
      begun += questions.length
      questions.forEach(begin)
      // Nothing is awaited from here on: the end of a call in between would go unnoticed.
      const callsAt = sendKinds.map((kind) => beginCalls(kind, apiKey))
      const importsAt = [...queues.imports.values()].map(({ until }) => until)
      const nextAt = soonest([questionsAt, ...callsAt, ...importsAt, isStale ? now() : undefined])
      return { begun: begun - before, nextAt, isBusy: running.size > 0 }
    },

    async close(): Promise<void> {
      await Promise.all(running)
      clearInterval(renewing)
      if (ended !== 'lost') await lease.giveBack(budget.logs())
    },
  }
}

export type DeliverySession = Awaited<ReturnType<typeof openDeliverySession>>

const perKind = <Value>(valueOf: (kind: SendKind) => Value) =>
  Object.fromEntries(sendKinds.map((kind) => [kind, valueOf(kind)])) as Record<SendKind, Value>

const idsOf = (sends: readonly WaitingSend[]) => sends.map(({ id }) => id)

/** The kinds of send that each call carries. */
const kindsOf: Partial<Record<CallName, SendKind[]>> = {
  event: ['event'],
  events: ['event', 'past-event'],
  profile: ['identify'],
  profiles: ['identify', 'list-add'],
  'find-profiles': ['list-add', 'subscribe', 'consent'],
  'list-members': ['list-add'],
  subscribe: ['subscribe', 'consent'],
  'find-subscribed': ['subscribe', 'consent'],
  unsubscribe: ['unsubscribe'],
  'delete-profile': ['erase'],
}
