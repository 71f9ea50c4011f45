import { AsyncLocalStorage } from 'node:async_hooks'
import { BasePayload } from 'payload'
import { workerParts } from '../../src/core/workers/parts.js'
import { deliveryParts } from '../../src/marketing/delivery/parts.js'
import { neverSetBack } from '../../src/core/effects.js'
import type { Around } from '../../src/core/shop.js'
import type { FeatureParts } from '../../src/core/feature.js'
import { couponsParts } from '../../src/marketing/coupons/parts.js'
import type { WholeParts } from '../support/parts.js'
import { partsOf } from '../support/parts.js'
import { klaviyoParts } from '../../src/marketing/klaviyo/parts.js'
import { marketingSettingsParts } from '../../src/marketing/settings/parts.js'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { shopOf } from '../support/shop-of.js'
import { databaseTime } from './gate.js'
import type { World } from './world.js'
import type { Owner, Scheduler } from './scheduler.js'

export const processNames = ['a', 'b', 'c']
/** The place of whoever took the lease last. */
export const deliverer = processNames.length

/** Which process the running code belongs to. */
export const running = new AsyncLocalStorage<SimProcess>()

export const simulatedOptions = {
  erasure: { orders: 'anonymise' },
  productUrl: ({ productId }) => `/tea/${productId}`,
  marketing: {
    apiUrl: 'https://klaviyo.simulated',
    delivery: 'task',
    reviews: { collection: 'reviews', statuses: ['approved'], requestAfterDays: 0 },
    settings: { privateApiKey: demoApiKey, followUnsubscribes: true, accountDeletions: true },
  },
  shipping: { settings: { pageSize: 1, waitForAllItems: true } },
} as const satisfies StoreConnectOptions

/** How a statement fails: before the database does it, or after. */
export type DatabaseTrouble = 'refuses' | 'drops the answer'

/** Strikes with one of these things that a process does, after so many others. */
export interface Aim {
  of: 'anything' | 'reads' | 'writes' | 'calls'
  after: number
  /** What is in the text of the statement, or in the path of the call. */
  about?: string
  /** Nothing counts until a call is answered that has this in its path. */
  sinceCall?: string
}

/** A process of the shop: an instance of Payload and of the plugin that shares nothing but the database. */
export class SimProcess implements Owner {
  isStopped = false
  isFrozen = false
  /** Such calls need no lease. */
  isTesting = false
  /** How far its wall clock is ahead. */
  aheadMs = 0
  /** What happens to its next statements. */
  databaseTrouble: (Aim & { trouble: DatabaseTrouble; statements: number }) | undefined
  /** Payload answers a save as if it had been stored when its commit fails. */
  lostCommits = 0
  /** Of the lease that it took last. */
  epoch: number | undefined
  /** When a statement of it failed last. */
  failedMs = -Infinity
  /** How often it was frozen, told to stop, or had its clock set. */
  troubles = 0
  trap: (Aim & { strike: () => void }) | undefined
  readonly outgoing: Outgoing
  readonly payload: BasePayload
  readonly scheduler: Scheduler
  #hangUp: () => void = () => undefined
  readonly #gone = new Promise<undefined>((resolve) => (this.#hangUp = () => resolve(undefined)))

  constructor(
    readonly name: string,
    base: BasePayload,
    world: Pick<World, 'scheduler' | 'witness' | 'effects' | 'run' | 'coupons'>,
  ) {
    const { scheduler, witness, run } = world
    this.scheduler = scheduler
    this.payload = anotherInstance(base)
    const info = ({ epoch }: { epoch?: number }) => {
      if (epoch === undefined) return
      this.epoch = epoch
      witness.takes(this, epoch)
    }
    this.payload.logger = { ...silent, info } as unknown as BasePayload['logger']
    this.outgoing = this.run(() => (run.of === 'shop' ? this.parts : outboxOf(this.payload, world)))
  }

  /** Those of the whole shop. */
  get parts(): WholeParts {
    return partsOf(this.payload)
  }

  /** Does it now, or when the process does what is aimed at. */
  strike(aim: Aim | undefined, strike: () => void): void {
    if (aim === undefined) strike()
    else this.trap = { ...aim, strike }
  }

  /** A statement or a call leaves it or has come back. True when that is the moment of its trap. */
  isTrapped(doing: Doing, text: string): boolean {
    const { trap } = this
    if (!isHit(trap, doing, text)) return false
    this.trap = undefined
    trap?.strike()
    return true
  }

  /** How the database fails at this statement. */
  nextTrouble(doing: Doing, text: string): DatabaseTrouble | undefined {
    const { databaseTrouble: next } = this
    if (!isHit(next, doing, text)) return undefined
    if (next && --next.statements <= 0) this.databaseTrouble = undefined
    return next?.trouble
  }

  /** Klaviyo has answered a call. */
  hears(path: string): void {
    for (const aim of [this.trap, this.databaseTrouble])
      if (aim?.sinceCall !== undefined && path.includes(aim.sinceCall)) delete aim.sinceCall
  }

  /** It never does anything again, and whoever waits for its answer gets none. */
  end(): void {
    this.isStopped = true
    this.#hangUp()
  }

  /** Resolves to the document of a save that was surely stored; undefined otherwise. */
  async saved<Document>(save: () => Promise<Document>): Promise<Document | undefined> {
    const { lostCommits } = this
    const document = await Promise.race([this.run(save).catch(() => undefined), this.#gone])
    return this.lostCommits === lostCommits ? document : undefined
  }

  /** A merchant tests the key, as the page of the settings does. */
  testKey(): void {
    const given = { apiKey: demoApiKey, signal: new AbortController().signal }
    this.isTesting = true
    this.run(() => this.outgoing.klaviyo.checkAccount(given))
      .catch(() => undefined)
      .finally(() => (this.isTesting = false))
  }

  /** Runs code of this process. */
  run<Result>(work: () => Result): Result {
    return running.run(this, work)
  }
}

/** What a process does. */
type Doing = 'reads' | 'writes' | 'calls'

const isHit = (aim: Aim | undefined, doing: Doing, text: string): boolean =>
  aim !== undefined &&
  aim.sinceCall === undefined &&
  (aim.of === 'anything' || aim.of === doing) &&
  text.includes(aim.about ?? '') &&
  aim.after-- <= 0

type Outgoing = Pick<
  WholeParts,
  'outbox' | 'delivery' | 'failures' | 'klaviyo' | 'klaviyoSessions' | 'coupons'
>

const ofOutbox: readonly FeatureParts[] = [
  workerParts,
  klaviyoParts,
  marketingSettingsParts,
  deliveryParts,
  couponsParts,
]

/** What delivers, and nothing else of the shop. */
function outboxOf(
  payload: BasePayload,
  { effects, run, coupons }: Pick<World, 'effects' | 'run' | 'coupons'>,
): Outgoing {
  const { marketing } = simulatedOptions
  const delivery = run.of === 'functions' ? 'functions' : 'loop'
  const settings = { ...marketing.settings, catalog: 'api' } as const
  const options = {
    ...simulatedOptions,
    marketing: { ...marketing, settings, delivery, ...coupons.options } as const,
  }
  const shop = { ...shopOf(payload, effects, options), waits: neverSetBack(effects) }
  const none = () => ({})
  // Nobody reads the orders.
  const parts: Partial<Outgoing> & { feedOf: unknown } = { feedOf: none }
  const all = {
    forwardable: none,
    actions: none,
    workers: () => (parts.coupons ? [parts.coupons.sync] : []),
    cartPosts: () => [],
    acceptCode: () => undefined,
    matters: () => [],
    forgetPerson: () => [],
    openSession: () => parts.klaviyoSessions?.open,
    flush: () => Promise.resolve(),
  }
  for (const one of ofOutbox) Object.assign(parts, one.build?.(shop, parts, all))
  return parts as Outgoing
}

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** An instance that has everything made at start-up, and has built nothing of the plugin yet. */
function anotherInstance(base: BasePayload): BasePayload {
  const instance = new BasePayload()
  for (const [name, value] of Object.entries<unknown>({ ...base })) {
    if (typeof value !== 'function') Object.assign(instance, { [name]: value })
  }
  instance.sendEmail = base.sendEmail
  const db = Object.create(base.db) as BasePayload['db']
  instance.db = Object.assign(db, { payload: instance })
  return instance
}

/** The work for more items than this waits for its turn. */
const fewItems = 10

/** The effects and visitors of all processes: each sees its own clock and its own timers. */
export function simulatedEffects(
  fetch: (request: Request, process: SimProcess) => Promise<Response>,
): Around {
  const own = (): SimProcess => {
    const process = running.getStore()
    if (process === undefined) throw new Error('This code runs outside of every simulated process.')
    return process
  }
  const now = () => new Date(databaseTime(own().scheduler).getTime() + own().aheadMs)
  const random = () => own().scheduler.random.next()
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => random() * 256))
  return {
    now,
    steadyMs: () => own().scheduler.elapsedMs,
    after(ms, callback) {
      const process = own()
      return process.scheduler.after(process, ms, () => process.run(callback))
    },
    deadline(ms) {
      const process = own()
      const controller = new AbortController()
      process.scheduler.after(process, ms, () =>
        process.run(() => controller.abort(new DOMException('Too late', 'TimeoutError'))),
      )
      return controller.signal
    },
    random,
    randomBytes: bytes,
    uuid: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    fetch: (input, init) => fetch(new Request(input, init), own()),
    visitors: {
      areHere: () => random() < 0.5,
      async turn(items) {
        const process = own()
        if (items > fewItems)
          await process.scheduler.pass(process, { label: 'turn', run: () => undefined })
      },
    },
  }
}
