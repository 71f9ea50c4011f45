import type { CallName, MarketingPlatform } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import { createCallBudget } from './call-budget.js'
import { createCallPlanner, soonest, type PlannedCalls } from './call-planner.js'
import type { Clock } from './clock.js'
import { LeaseLost, type DeliveryStore, type ReadFrom } from './delivery-store.js'
import { groupWrites } from './grouped-writes.js'
import { createImportJobs } from './import-jobs.js'
import type { Lease } from './lease.js'
import { putOffSuspects, settleLostCalls } from './lost-calls.js'
import { createPlatformCall } from './platform-call.js'
import { createProfileQueues } from './profile-queues.js'
import { createSendBatch } from './send-batch.js'
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
  log: Log
  clock: Clock
  random: () => number
  /** A signal that ends a call after so many milliseconds. */
  deadline: (ms: number) => AbortSignal
  /** Called when a call has ended: what comes behind it may go now. */
  onChange: () => void
}

export interface Look {
  /** Calls that were begun. */
  begun: number
  /** When to look again, milliseconds since 1970; undefined when nothing waits. */
  nextAt: number | undefined
  /** Whether calls were under way: when one ends it is time to look again. */
  isBusy: boolean
}

/** Sends of a kind that are read ahead: enough for several full calls. */
const readAhead = 20_000

/** Calls of a kind at once, or groups of single ones: a call that hangs must not stop the others. */
const callsAtOnce = 4

/** Other processes store sends too, and not every database says so. */
const readEveryMs = 1_000

/** With so few in memory, looking back costs no more than looking forward. */
const fewInMemory = 500

const renewEveryMs = 2_000

/** The wait after an error of the database. */
const errorWaitMs = 500

/** Sends in one statement: beyond, a statement costs as much as its rows. */
const settledAtOnce = 5_000

/** The work of one process for as long as it has the lease: queues in memory, and the calls for them. */
export async function openDeliverySession(parts: DeliverySessionParts) {
  const { store, lease, platform, log, clock, random, deadline, onChange } = parts
  const { bounds } = platform
  const now = () => clock.now().getTime()
  const queues = createProfileQueues()
  const running = new Set<Promise<void>>()
  const callsUnderWay = perKind(() => 0)
  /** The last id of each kind that was read. */
  const readTo = perKind(() => 0)
  let begun = 0
  let isStale = true
  let readAt = performance.now()
  let callNumber = 0
  /** Why it is over: another process delivers, or what the database has is not known any more. */
  let ended: 'lost' | 'in doubt' | undefined

  const begin = (what: () => Promise<void>): void => {
    const run: Promise<void> = what()
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) ended = 'lost'
        else log.error({ err: error }, 'The delivery failed, and goes on')
      })
      .finally(() => {
        running.delete(run)
        onChange()
      })
    running.add(run)
  }

  const budget = createCallBudget({
    logs: lease.calls,
    bounds,
    clock,
    random,
    log,
    onRecovered(call) {
      const kinds = kindsOf[call] ?? []
      queues.release(kinds, now())
      begin(() => store.release(kinds, lease, clock.now()))
    },
    onPause: () => begin(renew),
  })
  const call = createPlatformCall({
    budget,
    clock,
    log,
    deadline,
    leaseMs: () => (ended === undefined ? lease.remainingMs() : 0),
  })
  const jobs = createImportJobs({
    platform,
    store,
    lease,
    budget,
    call,
    clock,
    random,
    log,
    onEnd(ids) {
      queues.letGo(ids)
      isStale = true
    },
  })
  const settle = groupWrites<Settlement>({
    itemsAtMost: settledAtOnce,
    async write(settlements) {
      await untilWritten(() => store.settle(settlements, lease, clock.now()))
      settlements.forEach(settled)
    },
  })
  const planCalls = createCallPlanner({ queues, budget, bounds, clock })
  const sendBatch = createSendBatch({ platform, store, budget, call, clock, random, settle })

  /** What was sent must not be sent again because the database was away for a moment. */
  async function untilWritten(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (lease.remainingMs() <= 0) throw new LeaseLost()
        log.error({ err: error }, 'What became of sends could not be written yet')
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
    if ('job' in settlement) jobs.lookSoon()
    queues.drop([id])
  }

  /** What the process before had in its hands. */
  async function takeOver(): Promise<void> {
    const inFlight = await store.readInFlight(clock.now())
    const lost = inFlight.filter(({ job }) => job === undefined)
    for (const send of inFlight) if (send.job !== undefined) queues.hold(send, send.dueAt)
    if (lost.length === 0) return
    await store.settle(settleLostCalls(lost, clock.now()), lease, clock.now())
    await store.putOff(putOffSuspects(await store.readSuspects(), clock.now()), lease)
  }

  async function read(): Promise<void> {
    const isLongAgo = performance.now() - readAt > readEveryMs
    if (!isStale && !isLongAgo) return
    isStale = false
    const from = readFrom()
    const looksBack = isLongAgo || queues.size() <= fewInMemory
    if (looksBack) readAt = performance.now()
    const [found, missed] = await Promise.all([
      store.readWaiting(from, clock.now()),
      looksBack ? readMissed(from) : [],
    ])
    // In the order of their ids.
    for (const send of found) readTo[send.kind] = send.id
    for (const send of [...found, ...missed]) queues.add(send)
  }

  const readFrom = (): ReadFrom =>
    perKind((kind) => ({
      behind: readTo[kind],
      limit: Math.max(0, readAhead - queues.count(kind)),
    }))

  /** What was resent, or stored by a write that took its time. */
  async function readMissed(from: ReadFrom): Promise<WaitingSend[]> {
    const waiting = await store.readWaitingIds(from)
    const missed = waiting.filter((id) => queues.get(id) === undefined)
    return missed.length === 0 ? [] : store.readByIds(missed, clock.now())
  }

  async function endOldImports(): Promise<void> {
    const old = [...queues.imports].filter(([, { until }]) => until <= now()).map(([id]) => id)
    if (old.length === 0) return
    await store.letGo(old, lease, clock.now())
    queues.letGo(old)
  }

  /** Begins what can be sent of a kind now; returns when to look again. */
  function beginCalls(kind: SendKind, apiKey: string): number | undefined {
    // The end of one of them is a reason to look again.
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
      if (refused.length > 0) begin(() => readInTheWay(refused))
      const filled = wanted.map((sends) =>
        sends.flatMap((send): Send[] => {
          const message = messages.get(send.id)
          return message ? [{ ...send, message }] : []
        }),
      )
      await sendBatch(filled, planned)
    } catch (error) {
      // Nobody knows what is marked or sent: whoever takes the lease next reads what is so.
      ended ??= 'in doubt'
      throw error
    }
  }

  /** Of another kind, and not read yet, as each kind is read at its own pace. */
  async function readInTheWay(refused: readonly number[]): Promise<void> {
    queues.drop(refused)
    const found = await store.readOfProfiles(refused, { limit: readAhead, now: clock.now() })
    for (const send of found) queues.add(send)
  }

  const nameCall = (sends: readonly WaitingSend[]) => ({
    name: `${lease.epoch}-${++callNumber}`,
    ids: idsOf(sends),
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

    /** Whether it goes on. */
    isOpen: (): boolean => ended === undefined && lease.remainingMs() > 0,

    logs: () => budget.logs(),

    /** Something was stored. */
    wake(): void {
      isStale = true
    },

    /** Reads what is new and begins the calls that can be made now. Without a key nothing is sent. */
    async look(apiKey: string | undefined): Promise<Look> {
      if (apiKey === undefined) return { begun: 0, nextAt: undefined, isBusy: running.size > 0 }
      const before = begun
      await read()
      await endOldImports()
      const { questions, nextAt: questionsAt } = await jobs.due(apiKey)
      begun += questions.length
      questions.forEach(begin)
      // From here on nothing is waited for: a call that ends meanwhile would go unnoticed.
      const callsAt = sendKinds.map((kind) => beginCalls(kind, apiKey))
      const importsAt = [...queues.imports.values()].map(({ until }) => until)
      const nextAt = soonest([questionsAt, ...callsAt, ...importsAt])
      return { begun: begun - before, nextAt, isBusy: running.size > 0 }
    },

    /** Waits for the calls under way, and lets another process deliver. */
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

/** What goes out by a call. */
const kindsOf: Partial<Record<CallName, SendKind[]>> = {
  event: ['event'],
  events: ['event', 'past-event'],
  profile: ['identify'],
  profiles: ['identify', 'list-add'],
  'find-profiles': ['list-add'],
  'list-members': ['list-add'],
  subscribe: ['subscribe'],
  'find-subscribed': ['subscribe'],
}
