import { sql } from 'drizzle-orm'
import type { BasePayload, CollectionSlug } from 'payload'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { allScopes, type Scope } from '../../dev/klaviyo/calls.ts'
import {
  createKlaviyoStandIn,
  demoApiKey,
  type KlaviyoStandIn,
  type StandInOptions,
} from '../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import { sqlDatabase } from '../../src/core/database/database.js'
import type { SendState } from '../../src/marketing/delivery/send.js'
import type { WholeParts } from './parts.js'
import { sleep, type Effects } from '../../src/core/effects.js'
import { partsOf } from './parts.js'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import {
  marketingSettingsSlug,
  type StoredMarketingSettings,
} from '../../src/marketing/settings/marketing-settings.js'
import { runToEnd, type Worker } from '../../src/core/workers/worker.js'
import { noVisitors } from './no-visitors.js'
import { passOf } from './pass-of.js'
import { captureLog, type CapturedLog } from './captured-log.js'
import type { DatabaseKind, StoreSetup } from './store-config.js'
import { joinStore, openStore, type TestStore } from './store.js'
import { countByState, countWaiting, readSends, type StoredSend } from './stored-sends.js'

export interface SimulatedSetup extends Omit<StoreSetup, 'kind' | 'url'> {
  /** What a pass does beside the sends, such as a history. */
  workers?: (parts: WholeParts) => readonly Worker[]
  /** What is emptied before each test, beside sends, settings and orders. */
  cleared?: readonly CollectionSlug[]
  /** When it begins. */
  start?: string
  /** Opens a store of another shape. */
  open?: typeof openStore
}

/** Another process of the store, on the same database. */
export interface SimulatedProcess extends TestStore {
  parts: WholeParts
  now(this: void): number
}

/** Has a request reach Klaviyo, and its answer come back. */
type Ask = (request: Request) => Promise<Response>

/**
 * A whole store, opened with the options of `storeConnect()`, and Klaviyo's stand-in behind its network. The
 * clock stands still until it is moved.
 */
export interface SimulatedStore extends SimulatedProcess {
  /** The account of the demo's key. */
  readonly standIn: KlaviyoStandIn
  readonly log: CapturedLog
  /** The moment at which the test began, in milliseconds since 1970. */
  readonly begin: number
  /** Moves the clock on: deadlines pass, and timers call back. */
  move(ms: number): void
  /** Somebody sets the clock, on or back. */
  setClock(ms: number): void
  /** How long a call takes; the clock moves on by it. */
  callMs: number
  /** What lies between the store and Klaviyo; nothing at first. */
  network: (request: Request, ask: Ask) => Promise<Response>
  /** Opens an account at Klaviyo. One of the same key is gone. */
  account(
    options: Pick<StandInOptions, 'eventSeconds' | 'catalogSeconds' | 'limits'> & {
      apiKey?: string
      /** What its key may do, and whatever changes in this list. Default: everything. */
      scopes?: readonly Scope[]
    },
  ): KlaviyoStandIn
  /** A merchant saves these settings. */
  save(settings: Partial<StoredMarketingSettings>): Promise<void>
  /** Stores messages to be sent. */
  store(...messages: Message[]): Promise<void>
  sends(): Promise<StoredSend[]>
  /** How many sends are in each state. */
  counts(): Promise<Partial<Record<SendState, number>>>
  /** A process does what can be done now, to its end. */
  pass(process?: Pick<TestStore, 'payload'>): ReturnType<typeof passOf>
  /** Passes, moving the clock on to whenever there is something to do, and at least so much, until then. */
  runUntil(end: number, leastStepMs?: number): Promise<void>
  /** Payload's task delivers once. */
  runTask(process?: SimulatedProcess): Promise<void>
  /** It delivers everything that waits. */
  deliver(): Promise<void>
  /** The other process may have a clock of its own, or be deployed with other options. */
  join(changes?: Pick<SimulatedSetup, 'config' | 'effects' | 'options'>): Promise<SimulatedProcess>
  /** Empties the store, an hour later: what a process remembers is over. */
  beginAnew(): Promise<void>
}

/** One for all tests of a block: it begins anew before each. */
export function simulatedStore(kind: DatabaseKind, setup?: SimulatedSetup): SimulatedStore {
  const { world, open } = simulation(kind, setup)
  beforeAll(open)
  beforeEach(() => world.beginAnew())
  afterAll(() => world.close())
  return world
}

/** One for a single test. */
export async function openSimulatedStore(
  kind: DatabaseKind,
  setup?: SimulatedSetup,
): Promise<SimulatedStore> {
  const { world, open } = simulation(kind, setup)
  await open()
  return world
}

function simulation(
  kind: DatabaseKind,
  {
    workers = () => [],
    cleared = [],
    start = '2026-11-02T10:00Z',
    open: openIt = openStore,
    ...setup
  }: SimulatedSetup = {},
) {
  const clock = standingClock(Date.parse(start))
  const log = captureLog()
  const accounts = new Map<string, KlaviyoStandIn>()
  const joined: TestStore[] = []
  let numbers = randomFrom(1)
  let begin = clock.now()
  let stored = 0
  let opened: TestStore | undefined
  const random = () => numbers.next()

  async function ask(request: Request): Promise<Response> {
    const apiKey = request.headers.get('authorization')?.replace('Klaviyo-API-Key ', '') ?? ''
    const account = accounts.get(apiKey) ?? world.standIn
    const isHanging = account.faults.active.some(({ fault }) => fault.kind === 'hang')
    if (isHanging) clock.giveUp(request.signal)
    try {
      return await account.handle(request)
    } finally {
      clock.move(world.callMs)
    }
  }
  const { marketing } = setup.options ?? {}
  const complete: Omit<StoreSetup, 'kind' | 'url'> = {
    ...setup,
    config: { ...log.config, ...setup.config },
    effects: {
      ...clock.effects,
      random,
      visitors: noVisitors,
      fetch: (...request) => world.network(new Request(...request), ask),
      ...setup.effects,
    },
    options: {
      ...setup.options,
      marketing: marketing !== false && {
        // A test says when it delivers.
        delivery: 'task',
        ...marketing,
        settings: { privateApiKey: demoApiKey, ...marketing?.settings },
      },
    },
  }
  const store = (): TestStore => {
    if (opened === undefined) throw new Error('The store is not open yet.')
    return opened
  }
  /** A process that delivers keeps its lease. */
  async function goOnTo(next: number): Promise<void> {
    clock.move(next - clock.now())
    await world.parts.deliverer.oneEnded()
  }

  const world: SimulatedStore = {
    get payload() {
      return store().payload
    },
    get parts() {
      return partsOf(store().payload)
    },
    get url() {
      return store().url
    },
    kind,
    handle: (...given) => store().handle(...given),
    api: (request) => store().api(request),
    aBrowser: (origin) => store().aBrowser(origin),
    get standIn() {
      return accounts.get(demoApiKey) ?? world.account({})
    },
    log,
    get begin() {
      return begin
    },
    now: clock.now,
    move: clock.move,
    setClock: clock.set,
    callMs: 0,
    network: straight,
    account({ apiKey = demoApiKey, scopes = allScopes, ...options }) {
      const apiKeys = { [apiKey]: scopes }
      const wait = (seconds: number) => sleep(clock.effects, seconds * 1_000)
      const account = createKlaviyoStandIn({ now: clock.now, random, wait, ...options, apiKeys })
      accounts.set(apiKey, account)
      return account
    },
    async save(data) {
      await store().payload.updateGlobal({ slug: marketingSettingsSlug, data })
    },
    async store(...messages) {
      const acceptedAt = new Date(clock.now())
      await world.parts.outbox.store(
        messages.map((message) => ({ message, key: `send ${++stored}`, acceptedAt })),
      )
    },
    sends: () => readSends(store()),
    counts: async () => countByState(await world.sends()),
    async pass({ payload } = store()) {
      const parts = partsOf(payload)
      if (!(await parts.deliverer.take())) return { didWork: false, nextAt: undefined }
      await runToEnd(workers(parts), { waits: clock.effects, log: payload.logger })
      return passOf(parts.deliverer)
    },
    async runUntil(end, leastStepMs = 0) {
      while (clock.now() <= end) {
        const { nextAt } = await world.pass()
        if (nextAt === undefined || nextAt.getTime() > end) break
        await goOnTo(Math.max(nextAt.getTime(), clock.now() + leastStepMs))
      }
      await goOnTo(end)
    },
    async runTask({ parts, now } = world) {
      await parts.delivery.runUntilIdle({ deadline: new Date(now() + 60_000) })
    },
    async deliver() {
      for (;;) {
        await world.runTask()
        world.standIn.settle()
        if ((await countWaiting(store())) === 0) return
        clock.move(5_000)
      }
    },
    async join({ config, effects, options } = {}) {
      const all = { now: () => new Date(clock.now()), ...complete.effects, ...effects }
      const other = await joinStore(kind, store().url, {
        ...complete,
        effects: all,
        config: { ...complete.config, ...config },
        options: { ...complete.options, ...options },
      })
      joined.push(other)
      return { ...other, parts: partsOf(other.payload), now: () => all.now().getTime() }
    },
    async beginAnew() {
      const all = [store(), ...joined].map(({ payload }) => partsOf(payload))
      for (const { deliverer } of all) await deliverer.giveBack()
      clock.move(3_600_000)
      numbers = randomFrom(1)
      begin = clock.now()
      accounts.clear()
      log.clear()
      world.callMs = 0
      world.network = straight
      await empty(store().payload, cleared)
      for (const { marketingSettings } of all) marketingSettings.forget()
    },
    async close() {
      for (const other of joined) await other.close()
      await opened?.close()
      vi.useRealTimers()
    },
  }
  const open = async () => {
    // What Payload and the store itself note goes by the same clock.
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
    opened = await openIt(kind, complete)
  }
  return { world, open }
}

const straight: SimulatedStore['network'] = (request, ask) => ask(request)

const alwaysCleared = [
  'orders',
  'marketing-sends',
  'marketing-lease',
  'marketing-histories',
] as const

async function empty(payload: BasePayload, more: readonly CollectionSlug[]): Promise<void> {
  const database = sqlDatabase(payload)
  await database.run(sql`delete from ${database.table(marketingSettingsSlug)}`)
  for (const collection of [...alwaysCleared, ...more])
    await payload.db.deleteMany({ collection, where: {} })
}

/** What a process waits for itself is over at once, unless it is longer. */
const longestWaitMs = 5_000

/** A clock that stands still until it is moved, and the timers and deadlines by it. */
function standingClock(start: number) {
  let at = start
  let aheadMs = 0
  const now = () => at + aheadMs
  const timers = new Set<{ at: number; callback: () => void }>()
  const timer = (ms: number, callback: () => void) => {
    const one = { at: at + ms, callback }
    timers.add(one)
    return () => void timers.delete(one)
  }
  const move = (ms: number): void => {
    at += Math.max(0, ms)
    vi.setSystemTime(now())
    for (const one of timers) {
      if (one.at > at) continue
      timers.delete(one)
      one.callback()
    }
  }
  const effects: Pick<Effects, 'now' | 'steadyMs' | 'after' | 'deadline'> = {
    now: () => new Date(now()),
    steadyMs: () => at,
    after(ms, callback, { isBackground = false } = {}) {
      if (isBackground || ms > longestWaitMs) return timer(ms, callback)
      const end = at + ms
      const turn = setImmediate(() => {
        move(end - at)
        callback()
      })
      return () => clearImmediate(turn)
    },
    deadline(ms) {
      const controller = new AbortController()
      timer(ms, () => controller.abort())
      return controller.signal
    },
  }
  return {
    effects,
    now,
    move,
    set(this: void, ms: number): void {
      aheadMs += ms
      vi.setSystemTime(now())
    },
    /** Where a call hangs, time goes on until it is given up. */
    giveUp(signal: AbortSignal): void {
      setImmediate(() => {
        if (signal.aborted || timers.size === 0) return
        move(Math.min(...[...timers].map((one) => one.at)) - at)
        this.giveUp(signal)
      })
    },
  }
}
