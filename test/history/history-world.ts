import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import {
  createKlaviyoStandIn,
  demoApiKey,
  type KlaviyoStandIn,
} from '../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import type { Parts } from '../../src/features.js'
import type { HistoryRun } from '../../src/history/history-table.js'
import { partsOf } from '../../src/installation.js'
import type { MarketingOptions } from '../../src/options.js'
import { runToEnd } from '../../src/workers/worker.js'
import { passes } from '../delivery/passes.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { joinStore, openStore, type TestStore } from '../support/store.js'

type Hooks = Pick<
  MarketingOptions,
  'beforeEvent' | 'beforeProfile' | 'lineItemProperties' | 'orderProperties'
>

/** One store for all tests of a block, with Klaviyo's stand-in, on a clock that stands still until it is moved. */
export interface HistoryWorld extends Pick<Parts, 'histories' | 'historyWork' | 'outbox'> {
  readonly payload: TestStore['payload']
  readonly standIn: KlaviyoStandIn
  /** Bodies of the calls, as they left. */
  readonly bodies: unknown[]
  /** The store's own code; a test sets what it needs. */
  readonly hooks: Hooks
  now(): Date
  move(ms: number): void
  /** Begins a run of the year 2025. */
  start(): Promise<HistoryRun>
  /** One step of the run that is under way. */
  step(): Promise<void>
  /** Another process of the store. */
  join(): Promise<Parts>
  /** What the history of a process can do now, and then its deliverer. */
  pass(process?: Parts): Promise<{ didWork: boolean; nextAt: Date | undefined }>
  /** Passes until nothing is left to do, and resolves to the run. */
  runToEnd(): Promise<HistoryRun | undefined>
}

export const year2025 = { from: '2025-01-01', to: '2026-01-01' }

export function historyWorld(
  kind: DatabaseKind,
  { marketing = {}, ...options }: NonNullable<StoreSetup['options']> = {},
): HistoryWorld {
  let at = Date.UTC(2026, 10, 2, 10)
  let standIn: KlaviyoStandIn
  let numbers = randomFrom(1)
  let store: TestStore
  const bodies: unknown[] = []
  const hooks: Hooks = {}
  const now = () => new Date(at)
  const setup: Pick<StoreSetup, 'effects' | 'options'> = {
    effects: {
      now,
      steadyMs: () => at,
      random: () => numbers.next(),
      deadline: () => new AbortController().signal,
      fetch(...asked) {
        const body = asked[1]?.body
        if (typeof body === 'string') bodies.push(JSON.parse(body))
        return standIn.handle(new Request(...asked))
      },
    },
    options: {
      ...options,
      shipping: { settings: { statusHandle: 'completed' } },
      marketing: {
        beforeEvent: (event, ...more) => hooks.beforeEvent?.(event, ...more) ?? event,
        beforeProfile: (profile, ...more) => hooks.beforeProfile?.(profile, ...more) ?? profile,
        orderProperties: (own, about) => hooks.orderProperties?.(own, about) ?? own,
        lineItemProperties: (own, about) => hooks.lineItemProperties?.(own, about) ?? own,
        ...marketing,
        settings: { privateApiKey: demoApiKey, ...marketing.settings },
      },
    },
  }
  const parts = () => partsOf(store.payload)

  beforeAll(async () => {
    store = await openStore(kind, setup)
  })
  beforeEach(async () => {
    for (const name of Object.keys(hooks) as (keyof Hooks)[]) delete hooks[name]
    bodies.length = 0
    // What a process remembers of the test before is over.
    at += 3_600_000
    numbers = randomFrom(1)
    standIn = createKlaviyoStandIn({ now: () => at, random: () => numbers.next() })
    for (const collection of ['orders', 'marketing-sends', 'marketing-histories'] as const)
      await store.payload.db.deleteMany({ collection, where: {} })
  })
  afterAll(() => store.close())

  const world: HistoryWorld = {
    get payload() {
      return store.payload
    },
    get histories() {
      return parts().histories
    },
    get historyWork() {
      return parts().historyWork
    },
    get outbox() {
      return parts().outbox
    },
    get standIn() {
      return standIn
    },
    bodies,
    hooks,
    now,
    move: (ms) => void (at += ms),
    async start() {
      const { run } = await world.histories.start(year2025, { startedBy: 'merchant@example.com' })
      return run
    },
    async step() {
      const run = await world.historyWork.current()
      if (run === undefined) throw new Error('There is no run.')
      await world.historyWork.step(run)
    },
    async join() {
      const other = await joinStore(kind, store.url, setup)
      onTestFinished(() => other.close())
      return partsOf(other.payload)
    },
    async pass({ historyWorker, deliverer } = parts()) {
      await runToEnd([historyWorker], { waits: { now }, log: store.payload.logger })
      return passes(deliverer).pass()
    },
    async runToEnd() {
      for (;;) {
        const { didWork, nextAt } = await world.pass()
        if (didWork) continue
        const run = await world.histories.latest()
        if (nextAt !== undefined) at = Math.max(at, nextAt.getTime())
        else if (run?.state === 'counting' || run?.state === 'running') at += 2_500
        else return run
      }
    },
  }
  return world
}
