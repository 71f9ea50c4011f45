import type { MarketingSettings } from '../marketing-settings/marketing-settings.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'
import type { CallName, MarketingPlatform } from '../klaviyo/platform.js'
import { createCallBudget } from './call-budget.js'
import { createCallPlanner, isImport, soonest, type PlannedCalls } from './call-planner.js'
import { aheadOf, logsAt } from './call-log.js'
import { every, sleep } from '../effects.js'
import type { Shop } from '../shop.js'
import { LeaseLost, type DeliveryStore } from './delivery-store.js'
import { groupWrites } from './group-writes.js'
import { createImportJobs } from './import-jobs.js'
import type { Lease } from './lease.js'
import { callName, putOffSuspects, settleLostCalls, type InFlightSend } from './lost-calls.js'
import { createPlatformCall, type Question } from './platform-call.js'
import { createProfileQueues } from './profile-queues.js'
import { createReadAhead, readEveryMs } from './read-ahead.js'
import { createSendBatch, type AccountConsents } from './send-batch.js'
import {
  knownForMs,
  perKind,
  sendKinds,
  unreadImport,
  type Send,
  type SendKind,
  type Settlement,
  type WaitingSend,
} from './send.js'

/** What is delivered to, and what decides on it. */
export interface DeliveryTo {
  platform: MarketingPlatform
  accountConsents: AccountConsents
  settings: () => Promise<MarketingSettings>
}

interface DeliverySessionSetup extends DeliveryTo {
  store: DeliveryStore
  lease: Lease
  /** Called when a call has ended, because the sends that waited for it may go now. */
  onChange: () => void
}

export interface Poll {
  /** How many calls were begun. */
  begun: number
  /** When to poll again, in milliseconds since 1970; undefined when nothing waits. */
  nextAt: number | undefined
  /** Whether calls are under way. The end of one is a reason to poll again. */
  isBusy: boolean
}

/** Calls of a kind, or groups of single ones, at once: one that hangs must not stop the others. */
const callsAtOnce = 4

const renewEveryMs = 2_000

/** Less is left of a lease that was not renewed lately, or whose process had its clock set ahead. */
const renewedLeaseMs = 5_000

/** The wait before a failed write is tried again. */
const errorWaitMs = 500

/** Sends in one statement. More save nothing, because its cost grows with its rows. */
const settledAtOnce = 5_000

/** The work of a process while it holds the lease: it makes the calls for queues in memory. */
export async function openDeliverySession(shop: Shop, setup: DeliverySessionSetup) {
  const { effects, waits, log } = shop
  const { store, lease, platform, onChange } = setup
  const { bounds } = platform
  const now = () => waits.now().getTime()
  /** The process that delivered before may have a clock that is ahead of this one. */
  const aheadMs = aheadOf(now(), lease.calls)
  const queues = createProfileQueues()
  const running = new Set<Promise<void>>()
  const callsUnderWay = perKind(() => 0)
  let begun = 0
  let callNumber = 0
  /** Why it ended: another process delivers, or the state of the database is uncertain. */
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

  const budget = createCallBudget(shop, {
    logs: logsAt(now(), lease.calls),
    bounds,
    onRecovered(call) {
      const kinds = kindsOf[call] ?? []
      queues.release(kinds, now())
      begin(() => store.release(kinds, lease, waits.now()))
    },
    onPause: () => begin(renew),
  })
  const readAhead = createReadAhead(shop, { store, queues, keySince: budget.keySince })
  const platformCall = createPlatformCall(shop, {
    budget,
    leaseMs: () => (ended === undefined ? lease.remainingMs() : 0),
  })
  const jobs = createImportJobs(shop, {
    platform,
    store,
    lease,
    platformCall,
    onEnd(ids) {
      queues.endHold(ids)
      readAhead.wake()
    },
  })
  const settle = groupWrites<Settlement>(settledAtOnce, async (settlements) => {
    await untilWritten(settlements)
    settlements.forEach(settled)
  })
  const planCalls = createCallPlanner(shop, { queues, budget, bounds })
  const sendBatch = createSendBatch(shop, { ...setup, budget, platformCall, settle })

  /** Retries, because a short outage of the database must not send delivered sends again. */
  async function untilWritten(settlements: readonly Settlement[]): Promise<void> {
    for (;;) {
      try {
        // After a clock was set, whoever takes over has to know by how much what follows is ahead.
        if (lease.remainingMs() < renewedLeaseMs) await renew()
        return await store.settle(settlements, lease, effects.now())
      } catch (error) {
        if (lease.remainingMs() <= 0 || error instanceof LeaseLost) throw new LeaseLost()
        log.error(
          { err: error },
          'The results of a call could not be stored; they are written again',
        )
        await sleep(effects, errorWaitMs)
      }
    }
  }

  function settled(settlement: Settlement): void {
    const { id } = settlement
    const send = queues.get(id)
    if (send === undefined) return
    if (settlement.to === 'queued') {
      const { nextAttemptAt, attempts, batchSize, isUnanswered = false } = settlement
      if (settlement.isHeld) return holdBack(send, nextAttemptAt)
      Object.assign(send, { dueAt: nextAttemptAt.getTime(), attempts, batchSize, isUnanswered })
      return
    }
    if (settlement.to === 'sent' && (send.kind === 'event' || send.kind === 'identify')) {
      queues.queueOf(send).knownUntil = now() + knownForMs
    }
    if ('job' in settlement) jobs.jobStarted()
    if (settlement.to === 'sending') return holdBack(send, settlement.until)
    queues.drop([id])
  }

  function holdBack(send: WaitingSend, until: Date): void {
    queues.hold(send, until.getTime())
    queues.drop([send.id])
  }

  /** Takes over the sends that the previous deliverer had in calls and imports. */
  async function takeOver(): Promise<void> {
    if (aheadMs > 0) await store.bringForward(aheadMs, lease)
    const inFlight = await store.readInFlight(effects.now())
    const isInImport = ({ job, call }: InFlightSend) => job !== undefined || call === unreadImport
    const lost = inFlight.filter((send) => !isInImport(send))
    if (lost.length > 0) await settleLost(lost)
    const known = lost.length > 0 ? await store.readInFlight(effects.now()) : inFlight
    for (const send of known.filter(isInImport)) queues.hold(send, send.dueAt)
  }

  async function settleLost(lost: readonly InFlightSend[]): Promise<void> {
    // If this process is lost too, the next one has to know by how much these moments are ahead.
    await renew()
    await store.settle(settleLostCalls(lost, waits.now()), lease, effects.now())
    const suspects = await store.readSuspects(effects.now())
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

  async function endOldImports(): Promise<void> {
    const old = [...queues.imports].filter(([, { until }]) => until <= now()).map(([id]) => id)
    if (old.length === 0) return
    await store.endImportWait(old, lease, effects.now())
    queues.endHold(old)
    readAhead.wake()
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
      const named = calls.map((sends) => ({
        name: callName(`${lease.epoch}-${++callNumber}`, isImport(planned)),
        sends,
      }))
      const messages = await store.begin(named, lease, budget.logs())
      const refused = idsOf(wanted.flat()).filter((id) => !messages.has(id))
      if (refused.length > 0) begin(() => readAhead.readBlockers(refused))
      const filled = wanted.map((sends) =>
        sends.flatMap((send): Send[] => {
          const message = messages.get(send.id)
          return message ? [{ ...send, message }] : []
        }),
      )
      await sendBatch(filled, planned)
    } catch (error) {
      // Some sends may be marked or sent. The next delivery session reads the true state from the database.
      ended ??= 'in doubt'
      throw error
    }
  }

  async function renew(): Promise<void> {
    if (!(await lease.renew(budget.logs()))) throw new LeaseLost()
  }
  const endRenewing = every(effects, renewEveryMs, () => begin(renew))

  await takeOver().catch((error: unknown) => {
    endRenewing()
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
    wake: readAhead.wake,

    /** Reads new sends and begins the calls that can be made now. Without a key nothing is sent. */
    async poll(apiKey: string | undefined): Promise<Poll> {
      if (apiKey === undefined || !mayUse(apiKey)) {
        return { begun: 0, nextAt: undefined, isBusy: running.size > 0 }
      }
      const before = begun
      await readAhead.read()
      await endOldImports()
      const { questions, nextAt: questionsAt } = await jobs.due(apiKey)
      begun += questions.length
      questions.forEach(begin)
      // Nothing is awaited from here on: the end of a call in between would go unnoticed.
      const callsAt = sendKinds.map((kind) => beginCalls(kind, apiKey))
      const importsAt = [...queues.imports.values()].map(({ until }) => until)
      const readAt = readAhead.isStale() ? now() : undefined
      const nextAt = soonest([questionsAt, ...callsAt, ...importsAt, readAt])
      return { begun: begun - before, nextAt, isBusy: running.size > 0 }
    },

    async close(): Promise<void> {
      await Promise.all(running)
      endRenewing()
      if (ended !== 'lost') await lease.giveBack(budget.logs())
    },
  }
}

export type DeliverySession = Awaited<ReturnType<typeof openDeliverySession>>

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
