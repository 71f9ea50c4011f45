import type { BasePayload } from 'payload'
import { createHistoryWorker } from '../../src/history/history-worker.js'
import { createDeliverer, type Deliverer } from '../../src/delivery/deliverer.js'
import { runToEnd, type Worker } from '../../src/workers/worker.js'
import { createKlaviyo } from '../../src/klaviyo/klaviyo.js'
import {
  resolveOptions,
  type ResolvedOptions,
  type StoreConnectOptions,
} from '../../src/options.js'
import {
  defaultMarketingSettings,
  type MarketingSettings,
} from '../../src/marketing-settings/marketing-settings.js'
import {
  defaultShippingSettings,
  resolveShippingSettings,
} from '../../src/shipping/shipping-settings.js'
import { type Histories, createHistories } from '../../src/history/histories.js'
import { createHistoryWork, type HistoryWork } from '../../src/history/history-work.js'
import { partsOf } from '../../src/installation.js'
import type { Shop } from '../../src/shop.js'
import { shopOf } from './shop-of.js'
import { createOrderReader } from '../../src/orders/order-reader.js'
import { createFeeds } from '../../src/feeds/feeds.js'
import { createOutbox, type Outbox } from '../../src/delivery/outbox.js'
import { createSites } from '../../src/sites/sites.js'
import { passes, waking, type Drain } from '../delivery/passes.js'

/** The history of a store, and the delivery that it goes out by. */
export interface HistoryParts {
  histories: Histories
  work: HistoryWork
  /** One step of the run that is under way. */
  step(): Promise<void>
  /** Has that run fail. */
  giveUp: () => Promise<void>
  outbox: Outbox
  drain: Drain
  /** The same, for a loop. */
  deliverer: Deliverer
  worker: Worker
  shop: Shop
}

export interface HistorySetup {
  payload: BasePayload
  now: () => Date
  /** The platform's answers. */
  fetch: typeof fetch
  privateApiKey: string
  settings?: Partial<MarketingSettings>
  timezone?: string
  /** Hooks of the store's developer. */
  hooks?: StoreConnectOptions['marketing']
  /** What else the store's developer sets. */
  options?: Omit<StoreConnectOptions, 'marketing' | 'timezone'>
  ordersAtOnce?: number
  /** Goes around each step of the history. */
  around?: (step: () => Promise<void>) => Promise<void>
  random?: () => number
}

/**
 * The parts that `src/features.ts` builds, on a clock and with a platform of a test's own. Shipped orders
 * are `completed`, as the extension has it.
 */
export function historyParts(setup: HistorySetup): HistoryParts {
  const { payload, now, privateApiKey, ordersAtOnce, random, timezone = 'UTC' } = setup
  const { around = (step) => step(), hooks = {} } = setup
  const options = resolveOptions({ ...setup.options, timezone, marketing: hooks })
  const shop: Shop<ResolvedOptions> = {
    ...shopOf(payload, {
      now,
      ...(random && { random }),
      deadline: () => new AbortController().signal,
      fetch: setup.fetch,
    }),
    options,
  }
  const { database } = shop
  const outbox = waking(createOutbox(database), () => deliverer.wake())
  const marketing = {
    ...defaultMarketingSettings,
    privateApiKey,
    keyProblem: undefined,
    ...setup.settings,
  }
  const settings = () => Promise.resolve(marketing)
  const shipping = resolveShippingSettings(
    { ...defaultShippingSettings, statusHandle: 'completed' },
    process.env,
  )
  const parts = {
    ...partsOf(payload),
    reader: createOrderReader(shop),
    sites: createSites(payload, options, now),
    marketingSettings: { get: settings, forget: () => undefined },
    shippingSettings: { get: () => Promise.resolve(shipping), forget: () => undefined },
    outbox,
  }
  const histories = createHistories(shop)
  const work = createHistoryWork(shop, { ...parts, ...createFeeds(shop, parts) }, ordersAtOnce)
  const watched: HistoryWork = { ...work, step: (run) => around(() => work.step(run)) }
  const worker = createHistoryWorker(shop, watched)
  const deliverer = createDeliverer(shop, {
    platform: createKlaviyo('https://platform.example', shop.effects),
    settings,
    accountConsents: () => Promise.resolve(new Map()),
  })
  const underWay = async () => {
    const run = await work.current()
    if (run === undefined) throw new Error('There is no run.')
    return run
  }
  return {
    histories,
    work,
    step: async () => work.step(await underWay()),
    giveUp: async () => work.giveUp(await underWay()),
    outbox,
    drain: withWorker(passes(deliverer), worker, shop),
    deliverer,
    worker,
    shop,
  }
}

/** Each pass begins with what the worker has to do. */
const withWorker = (drain: Drain, worker: Worker, shop: Shop): Drain => ({
  ...drain,
  async pass() {
    await runToEnd([worker], shop)
    return drain.pass()
  },
})
