import type { CallName, MarketingPlatform } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import { createCallBudget } from './call-budget.js'
import { createCallPlanner, soonest } from './call-planner.js'
import type { Clock } from './clock.js'
import { LeaseLost, type DeliveryStore, type ReadFrom } from './delivery-store.js'
import { groupWrites } from './grouped-writes.js'
import { createImportJobs } from './import-jobs.js'
import type { Lease } from './lease.js'
import { settleLostCalls } from './lost-calls.js'
import { createPlatformCall } from './platform-call.js'
import { createProfileQueues, type ProfileQueue } from './profile-queues.js'
import { createSendBatch, type PlannedCalls } from './send-batch.js'
import { knownForMs, sendKinds, type SendKind, type Settlement } from './send.js'

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
}

/** Of all kinds. */
export interface WholeLook extends Look {
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
  const inCall = new Map<number, ProfileQueue>()
  const imports = new Map<number, { profile: string; until: number }>()
  const running = new Set<Promise<void>>()
  const rounds = new Map<SendKind, number>()
  const behind = Object.fromEntries(sendKinds.map((kind) => [kind, 0])) as Record<SendKind, number>
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
    onEnd(sends) {
      for (const { id, profile } of sends) endImport(id, profile)
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
    const queue = inCall.get(id)
    const send = queue?.sends.find((one) => one.id === id)
    inCall.delete(id)
    if (queue === undefined || send === undefined) return
    if (settlement.to === 'queued') {
      const { nextAttemptAt, attempts, batchSize, isUnanswered = false } = settlement
      Object.assign(send, { dueAt: nextAttemptAt.getTime(), attempts, batchSize, isUnanswered })
      return
    }
    queues.drop(queue, [id])
    if (settlement.to === 'sent' && (send.kind === 'event' || send.kind === 'identify')) {
      queue.knownUntil = now() + knownForMs
    }
    if (settlement.to === 'sending') {
      queues.hold(send)
      imports.set(id, { profile: send.profile, until: settlement.until.getTime() })
    }
    if ('job' in settlement) jobs.lookSoon()
  }

  function endImport(id: number, profile: string): void {
    imports.delete(id)
    queues.letGo(profile, id)
  }

  /** What the process before had in its hands. */
  async function takeOver(): Promise<void> {
    const inFlight = await store.readInFlight(clock.now())
    for (const send of inFlight) {
      if (send.job === undefined) continue
      queues.hold(send)
      imports.set(send.id, { profile: send.profile, until: send.dueAt })
    }
    const lost = inFlight.filter(({ job }) => job === undefined)
    await store.settle(settleLostCalls(lost, clock.now()), lease, clock.now())
  }

  async function read(): Promise<void> {
    const isLongAgo = performance.now() - readAt > readEveryMs
    if (!isStale && !isLongAgo) return
    isStale = false
    await readNew()
    if (!isLongAgo && queues.size() > fewInMemory) return
    readAt = performance.now()
    await lookBack()
  }

  async function readNew(): Promise<void> {
    const found = await store.readWaiting(readFrom(), clock.now())
    for (const send of found) {
      behind[send.kind] = Math.max(behind[send.kind], send.id)
      queues.add(send)
    }
  }

  const readFrom = (): ReadFrom =>
    Object.fromEntries(
      sendKinds.map((kind) => [
        kind,
        { behind: behind[kind], limit: Math.max(0, readAhead - queues.count(kind)) },
      ]),
    ) as Record<SendKind, ReadFrom[SendKind]>

  /** Finds what was resent, or stored by a write that took its time. */
  async function lookBack(): Promise<void> {
    const waiting = await store.readWaitingIds(readFrom())
    const missed = waiting.filter((id) => !queues.has(id))
    if (missed.length === 0) return
    for (const send of await store.readByIds(missed, clock.now())) queues.add(send)
  }

  async function endOldImports(): Promise<void> {
    const old = [...imports].filter(([, { until }]) => until <= now())
    if (old.length === 0) return
    await store.letGo(
      old.map(([id]) => id),
      lease,
      clock.now(),
    )
    for (const [id, { profile }] of old) endImport(id, profile)
  }

  /** Begins what can be sent of a kind now; otherwise says when to look again. */
  function beginCalls(kind: SendKind, apiKey: string): Look {
    let begun = 0
    for (;;) {
      // The end of one of them is a reason to look again.
      if ((rounds.get(kind) ?? 0) >= callsAtOnce) return { begun, nextAt: undefined }
      const plan = planCalls(kind, apiKey)
      if (!('permits' in plan)) return { begun, nextAt: plan.nextAt }
      begun += 1
      rounds.set(kind, (rounds.get(kind) ?? 0) + 1)
      for (const { queue, sends } of plan.parts) {
        queues.setBusy(queue, true)
        for (const { id } of sends) inCall.set(id, queue)
      }
      begin(() => makeCalls(plan))
    }
  }

  async function makeCalls(planned: PlannedCalls): Promise<void> {
    const { parts: planParts, isOneByOne, group, permits } = planned
    const nameOf = () => `${lease.epoch}-${++callNumber}`
    const idsOf = (part: (typeof planParts)[number]) => part.sends.map(({ id }) => id)
    const calls = isOneByOne
      ? planParts.map((part) => ({ name: nameOf(), ids: idsOf(part) }))
      : [{ name: nameOf(), ids: planParts.flatMap(idsOf) }]
    try {
      const messages = await store.begin(calls, lease, budget.logs()).catch((error: unknown) => {
        // Nobody knows whether they are marked: whoever takes the lease next reads what is so.
        ended ??= 'in doubt'
        throw error
      })
      const filled = planParts.map(({ queue, sends }) => {
        queues.drop(
          queue,
          idsOf({ queue, sends }).filter((id) => !messages.has(id)),
        )
        return sends.flatMap((send) => {
          const message = messages.get(send.id)
          return message ? [{ ...send, message }] : []
        })
      })
      const there = filled.filter((sends) => sends.length > 0)
      if (there.length === 0) permits.forEach((permit) => budget.unused(permit))
      else await sendBatch(there, planned)
    } finally {
      for (const { queue, sends } of planParts) {
        for (const { id } of sends) inCall.delete(id)
        queues.setBusy(queue, false)
      }
      rounds.set(group.kind, (rounds.get(group.kind) ?? 1) - 1)
    }
  }

  async function beginQuestions(apiKey: string): Promise<Look> {
    let begun = 0
    for (;;) {
      const step = await jobs.next(apiKey)
      if (!('run' in step)) return { begun, nextAt: step.nextAt }
      begun += 1
      begin(step.run)
    }
  }

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
    async look(apiKey: string | undefined): Promise<WholeLook> {
      if (apiKey === undefined) return { begun: 0, nextAt: undefined, isBusy: running.size > 0 }
      await read()
      await endOldImports()
      const questions = await beginQuestions(apiKey)
      // From here on nothing is waited for: a call that ends meanwhile would go unnoticed.
      const looks = [...sendKinds.map((kind) => beginCalls(kind, apiKey)), questions]
      const holds = [...imports.values()].map(({ until }) => until)
      return {
        begun: looks.reduce((sum, { begun }) => sum + begun, 0),
        nextAt: soonest([...looks.map(({ nextAt }) => nextAt), ...holds]),
        isBusy: running.size > 0,
      }
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
