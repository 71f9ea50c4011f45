import type { Shop } from '../../core/shop.js'
import type { OpenSession, Poll, Session } from '../../core/workers/deliverer.js'
import type { Lease, Leases } from '../../core/workers/lease.js'
import { createSessionWork } from '../../core/workers/session-work.js'
import { englishText } from '../../core/translations/translation.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import type { CallName } from '../klaviyo/limits.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import { readLastTest } from '../klaviyo/check-account.js'
import { createCachedValue } from '../../core/database/cached-value.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import { createCallBudget, roomAt } from './call-budget.js'
import { aheadOf, logsAt, pausesOf, type CallLogs } from './call-log.js'
import { soonest } from './call-planner.js'
import type { DeliveryStore } from './delivery-store.js'
import { createKlaviyoCall, type Question } from './klaviyo-call.js'
import { lanesFor } from './lanes.js'
import { longestWaitAfterLossMs, takeOver } from './lost-calls.js'
import { createProfileQueues } from './profile-queues.js'
import { createReadAhead, readEveryMs } from './read-ahead.js'
import { createSendBatch } from './send-batch.js'
import { createSendCalls } from './send-calls.js'
import type { AccountConsents } from './send-subscriptions.js'
import { sendKinds, type SendKind } from './send.js'
import { createSettle } from './settle.js'

/** What is delivered to, and what decides on it. */
interface DeliveryTo {
  klaviyo: Klaviyo
  accountConsents: AccountConsents
  settings: () => Promise<MarketingSettings>
}

/** Delivers waiting sends to Klaviyo while this process holds the lease, and asks it questions. */
export function createKlaviyoSessions(
  shop: Shop,
  { store, leases, ...to }: DeliveryTo & { store: DeliveryStore; leases: Leases },
) {
  let session: DeliverySession | undefined

  const open: OpenSession = async (lease, onChange) => {
    const opened = await openDeliverySession(shop, { ...to, store, lease, onChange })
    session = opened
    return {
      ...opened,
      close() {
        session = undefined
        return opened.close()
      },
    }
  }

  async function readLogs() {
    const { keyProblem, privateApiKey } = await to.settings()
    const now = shop.effects.now().getTime()
    // Only sessions note something in the lease.
    const last: CallLogs = session?.logs() ?? (await leases.notes())
    const logs = logsAt(now, last)
    return { keyProblem, pauses: pausesOf(logs, privateApiKey, now), logs }
  }

  return {
    open,

    /** Asks Klaviyo within its limits. Undefined when another process delivers, or without a key. */
    ask: async <Result>(question: Omit<Question<Result>, 'apiKey'>) => {
      const { privateApiKey: apiKey } = await to.settings()
      if (apiKey === '' || session?.isOpen() !== true) return undefined
      return session.ask({ ...question, apiKey })
    },

    /** Whether one of these calls is not made now, because the key lacks a scope of it. */
    areOff: (calls: readonly CallName[]): boolean =>
      calls.some((call) => session?.isOff(call) === true),

    /** Why there is no key, or since when there is one, the calls that are paused now, and when a process last delivered. */
    async status() {
      const { logs, ...present } = await readLogs()
      const { at, keySince, testedAt } = logs
      return {
        ...present,
        // A key that nobody has used yet was set just now.
        keySince: keySince === undefined ? undefined : new Date(keySince ?? shop.effects.now()),
        lastRunAt: at === undefined ? undefined : new Date(at),
        /** The last test of the key that the delivery has heeded. */
        testedAt: testedAt === undefined ? undefined : new Date(testedAt),
      }
    },

    /** What is so now for all sends that wait. */
    async deliveryNow() {
      const { logs, ...present } = await readLogs()
      return {
        ...present,
        roomAt: (call: CallName) => new Date(roomAt(logs, call, shop.effects.now().getTime())),
        isDelivering: session?.isOpen() === true || (await leases.isTaken()),
      }
    },
  }
}

export type KlaviyoSessions = ReturnType<typeof createKlaviyoSessions>
export type DeliveryStatus = Awaited<ReturnType<KlaviyoSessions['status']>>

/** The work of a process while it holds the lease: it makes the calls for queues in memory. */
async function openDeliverySession(
  shop: Shop,
  setup: DeliveryTo & { store: DeliveryStore; lease: Lease; onChange: () => void },
) {
  const { effects, waits, visitors } = shop
  const { store, lease } = setup
  const now = () => waits.now().getTime()
  const openedAt = now()
  const lastLogs = lease.notes as CallLogs
  const aheadMs = aheadOf(openedAt, lastLogs)
  const queues = createProfileQueues()
  const { onChange } = setup
  const work = createSessionWork(shop, { lease, notes: () => budget.logs(), onChange })
  const { renew } = work
  const budget = createCallBudget(shop, {
    logs: logsAt(now(), lastLogs),
    onRecovered(call) {
      const kinds = kindsOf[call] ?? []
      const suspectsAt = Math.max(now(), openedAt + longestWaitAfterLossMs)
      queues.release(kinds, now(), suspectsAt)
      work.begin(() => store.release(kinds, lease, waits.now(), new Date(suspectsAt)))
    },
    onPause: () => work.begin(renew),
  })
  const readAhead = createReadAhead(shop, { store, queues })
  const klaviyoCall = createKlaviyoCall(shop, {
    budget,
    leaseMs: () => (work.ended() === undefined ? lease.remainingMs() : 0),
  })
  const settle = createSettle(shop, { store, lease, queues, renew })
  const sendBatch = createSendBatch(shop, { ...setup, budget, klaviyoCall, settle })
  const calls = createSendCalls(shop, { store, lease, queues, budget, readAhead, sendBatch, work })

  const lastTest = createCachedValue(async () => {
    const { privateApiKey: of } = await setup.settings()
    return { of, test: await readLastTest(shop.payload, of) }
  }, effects.now)

  /** False while calls with another key are under way. The new key may be that of another account. */
  function mayUse(apiKey: string): boolean {
    const mark = markOfKey(apiKey)
    if (mark !== budget.key() && calls.areUnderWay()) return false
    budget.useKey(mark)
    return true
  }

  try {
    await takeOver(shop, { store, lease, renew, aheadMs })
  } catch (error) {
    // No call was begun, so the next try need not wait until the lease is over. If this fails as well, it does.
    await Promise.allSettled([work.close(() => lastLogs)])
    throw error
  }

  return {
    running: work.running,

    isLeaseHeld: lease.isHeld,
    isOpen: work.isOpen,

    logs: () => budget.logs(),

    isOff: budget.isOff,

    /** Asks Klaviyo within its limits, for work beside the sends. */
    ask: <Result>(question: Question<Result>) =>
      mayUse(question.apiKey)
        ? klaviyoCall.ask(question)
        : Promise.resolve({ putOffUntil: now() + readEveryMs }),

    wake: readAhead.wake,

    /** Reads new sends and begins the calls that can be made now. Without a key nothing is sent. */
    async poll(): Promise<Poll> {
      const { privateApiKey: apiKey, catalog } = await setup.settings()
      if (apiKey === '') budget.noKey()
      if (apiKey === '' || !mayUse(apiKey)) {
        return { begun: 0, nextAt: undefined, isBusy: work.running.size > 0 }
      }
      const { of, test } = await lastTest.get()
      // The key may have been changed since the test was read.
      if (test && of === apiKey) budget.heed(test)
      queues.setLanes(lanesFor(budget.lackingScope()))
      await readAhead.read()
      if (catalog === 'feed' && queues.count('back-in-stock') > 0)
        queues.drop(await store.endBackInStock(catalogByFeed, lease))
      await visitors.turn(queues.size())
      // Nothing is awaited from here on: the end of a call in between would go unnoticed.
      const sent = sendKinds.map((kind) => calls.begin(kind, apiKey))
      const readAt = readAhead.isStale() ? now() : undefined
      return {
        begun: sent.reduce((sum, { begun }) => sum + begun, 0),
        nextAt: soonest([...sent.map(({ nextAt }) => nextAt), readAt]),
        isBusy: work.running.size > 0,
      }
    },

    close: () => work.close(),
  }
}

type DeliverySession = Session & Awaited<ReturnType<typeof openDeliverySession>>

/** Klaviyo would not hear that a product is back. */
const catalogByFeed: KlaviyoError = {
  code: 'CATALOG_BY_FEED',
  detail: englishText('refusedByFeed'),
}

/**
 * The kinds of send that each call carries, or that wait for it. Identifies share the call of the event that follows
 * them.
 */
const kindsOf: Partial<Record<CallName, SendKind[]>> = {
  event: ['event', 'identify'],
  events: ['event', 'identify', 'past-event'],
  profile: ['identify'],
  'find-profiles': ['list-add', 'subscribe', 'consent'],
  'list-members': ['list-add'],
  subscribe: ['subscribe', 'consent'],
  'find-subscribed': ['subscribe', 'consent'],
  unsubscribe: ['unsubscribe'],
  'back-in-stock': ['back-in-stock'],
  'catalog-job': ['back-in-stock'],
  'catalog-state': ['back-in-stock'],
  'catalog-list': ['back-in-stock'],
  'delete-profile': ['erase'],
}
