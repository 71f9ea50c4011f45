import type { HistoryRun } from '../../../src/marketing/history/history-table.js'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import { beforeEach } from 'vitest'
import { simulatedStore, type SimulatedStore } from '../../support/simulated-store.js'
import type { DatabaseKind, StoreSetup } from '../../support/store-config.js'

type Hooks = Pick<
  MarketingOptions,
  'beforeEvent' | 'beforeProfile' | 'lineItemProperties' | 'orderProperties'
>

/** A simulated store that sends past orders. */
interface HistoryWorld {
  /** Bodies of the calls, as they left. */
  readonly bodies: unknown[]
  /** The store's own code; a test sets what it needs. */
  readonly hooks: Hooks
  /** Begins a run of the year 2025. */
  start(): Promise<HistoryRun>
  /** One step of the run that is under way. */
  step(): Promise<void>
  /** Passes until nothing is left to do, and resolves to the run. */
  runToEnd(): Promise<HistoryRun | undefined>
  /** Begins a run of the year 2025, and does all of it. */
  run(): Promise<HistoryRun | undefined>
}

export const year2025 = { from: '2025-01-01', to: '2026-01-01' }

export function historyWorld(
  kind: DatabaseKind,
  { marketing = {}, ...options }: NonNullable<StoreSetup['options']> = {},
): SimulatedStore & HistoryWorld {
  const bodies: unknown[] = []
  const hooks: Hooks = {}
  const store = simulatedStore(kind, {
    workers: ({ historyWorker }) => [historyWorker],
    options: {
      ...options,
      shipping: { settings: { statusHandle: 'completed' } },
      marketing: {
        beforeEvent: (event, ...more) => hooks.beforeEvent?.(event, ...more) ?? event,
        beforeProfile: (profile, ...more) => hooks.beforeProfile?.(profile, ...more) ?? profile,
        orderProperties: (own, about) => hooks.orderProperties?.(own, about) ?? own,
        lineItemProperties: (own, about) => hooks.lineItemProperties?.(own, about) ?? own,
        ...marketing,
      },
    },
  })
  beforeEach(() => {
    for (const name of Object.keys(hooks) as (keyof Hooks)[]) delete hooks[name]
    bodies.length = 0
    store.network = async (request, ask) => {
      if (request.method === 'POST') bodies.push(await request.clone().json())
      return ask(request)
    }
  })
  const own: HistoryWorld = {
    bodies,
    hooks,
    async start() {
      const { histories } = store.parts
      return (await histories.start(year2025, { startedBy: 'merchant@example.com' })).run
    },
    async step() {
      const { historyWork } = store.parts
      const run = await historyWork.current()
      if (run === undefined) throw new Error('There is no run.')
      await historyWork.step(run)
    },
    async runToEnd() {
      for (;;) {
        const { didWork, nextAt } = await store.pass()
        if (didWork) continue
        const run = await store.parts.histories.latest()
        if (nextAt !== undefined) store.move(nextAt.getTime() - store.now())
        else if (run?.state === 'counting' || run?.state === 'running') store.move(2_500)
        else return run
      }
    },
    async run() {
      await own.start()
      return own.runToEnd()
    },
  }
  return Object.defineProperties(store, Object.getOwnPropertyDescriptors(own)) as SimulatedStore &
    HistoryWorld
}
