import {
  createKlaviyoStandIn,
  demoApiKey,
  type KlaviyoStandIn,
  type StandInOptions,
} from '../../dev/klaviyo/stand-in.ts'
import { allScopes } from '../../dev/klaviyo/calls.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import { realEffects } from '../../src/effects.js'
import { createDeliverer, type Deliverer } from '../../src/delivery/deliverer.js'
import { createDeliveryStore } from '../../src/delivery/delivery-store.js'
import type { NewSend } from '../../src/delivery/send.js'
import { createOutbox, type Outbox } from '../../src/delivery/outbox.js'
import { passes, passWithLease, waking, type Drain } from './passes.js'
import { createKlaviyo } from '../../src/klaviyo/klaviyo.js'
import type { Message } from '../../src/klaviyo/message.js'
import {
  defaultMarketingSettings,
  type MarketingSettings,
} from '../../src/marketing-settings/marketing-settings.js'
import { sqlDatabase } from '../../src/database/database.js'
import { shopOf } from '../support/shop-of.js'
import type { TestStore } from '../support/store.js'

/** A store's own database and the stand-in, on one clock that stands still until it is moved. */
export interface PlatformWorld {
  outbox: Outbox
  /** Imports whose errors have not been asked for. */
  openJobs(): Promise<string[]>
  standIn: KlaviyoStandIn
  /** Opens another account at the platform, with a key of its own. */
  anotherAccount(apiKey: string): KlaviyoStandIn
  drain: Drain
  /** A drain of a process of its own: it remembers nothing of what the others did. */
  anotherDrain(): Drain
  settings: MarketingSettings
  /** How long a call takes; the clock moves on by it. */
  callMs: number
  now(): number
  store(...messages: Message[]): Promise<void>
  /** Passes, moving the clock on to whenever there is something to do, and at least so much, until then. */
  runUntil(end: number, leastStepMs?: number): Promise<void>
}

export const worldStart = Date.UTC(2026, 10, 2, 10)

export function platformWorld(
  { payload }: Pick<TestStore, 'payload'>,
  seed = 1,
  options: Pick<StandInOptions, 'jobSeconds' | 'limits'> = {},
): PlatformWorld {
  let at = worldStart
  let stored = 0
  const numbers = randomFrom(seed)
  const random = () => numbers.next()
  const now = () => new Date(at)
  const timers = new Set<{ at: number; callback: () => void }>()
  const deadlines = new Set<{ controller: AbortController; at: number }>()
  const standIn = createKlaviyoStandIn({ ...options, now: () => at, random })
  const accounts = new Map<string, KlaviyoStandIn>()
  const database = sqlDatabase(payload)
  const outbox = waking(createOutbox(database), () => drain.wake())
  const settings: MarketingSettings = {
    ...defaultMarketingSettings,
    privateApiKey: demoApiKey,
    keyProblem: undefined,
  }
  const drains: Drain[] = []
  const shop = shopOf(payload, {
    now,
    random,
    deadline(ms) {
      const controller = new AbortController()
      deadlines.add({ controller, at: at + ms })
      return controller.signal
    },
    fetch: ask,
    after(ms, callback, { isBackground = false } = {}) {
      if (!isBackground) return realEffects.after(ms, callback)
      const timer = { at: at + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const deliverers: Deliverer[] = []
  const anotherDrain = (): Drain => {
    const deliverer = createDeliverer(shop, {
      platform: createKlaviyo('https://platform.example', shop.effects),
      settings: () => Promise.resolve(settings),
      accountConsents: () => Promise.resolve(new Map()),
    })
    deliverers.push(deliverer)
    const own = passes(deliverer)
    const others = [...drains]
    drains.push(own)
    return {
      ...own,
      // A process that takes over: the others have ended.
      async pass() {
        for (const other of others) await other.giveBack()
        return own.pass()
      },
    }
  }
  const drain = anotherDrain()

  async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
    const isHanging = standIn.faults.active.some(({ fault }) => fault.kind === 'hang')
    if (isHanging) setImmediate(giveUpCalls)
    try {
      const asked = new Request(...request)
      const apiKey = asked.headers.get('authorization')?.replace('Klaviyo-API-Key ', '') ?? ''
      return await (accounts.get(apiKey) ?? standIn).handle(asked)
    } finally {
      moveTo(at + world.callMs)
    }
  }

  const moveTo = (next: number): void => {
    at = Math.max(at, next)
    for (const deadline of deadlines) {
      if (deadline.at > at) continue
      deadlines.delete(deadline)
      deadline.controller.abort()
    }
  }

  /** The process that delivers keeps its lease. */
  const goOnTo = async (next: number): Promise<void> => {
    moveTo(next)
    for (const timer of timers) {
      if (timer.at > at) continue
      timers.delete(timer)
      timer.callback()
    }
    await Promise.all(deliverers.map((deliverer) => deliverer.oneEnded()))
  }

  /** Where calls hang, time goes on until they are given up. */
  const giveUpCalls = (): void => {
    if (deadlines.size > 0) moveTo(Math.min(...[...deadlines].map((one) => one.at)))
  }

  const pass = async (): ReturnType<Drain['pass']> => {
    const passed = await passWithLease(drain)
    deadlines.clear()
    return passed
  }

  const world: PlatformWorld = {
    outbox,
    openJobs: () => createDeliveryStore(shop).readOpenJobs(100),
    standIn,
    anotherAccount(apiKey) {
      const apiKeys = { [apiKey]: allScopes }
      const account = createKlaviyoStandIn({ ...options, now: () => at, random, apiKeys })
      accounts.set(apiKey, account)
      return account
    },
    drain,
    anotherDrain,
    settings,
    callMs: 0,
    now: () => at,
    store: (...messages) =>
      outbox.store(
        messages.map((message): NewSend => ({
          message,
          key: `send ${++stored}`,
          acceptedAt: new Date(at),
        })),
      ),
    async runUntil(end, leastStepMs = 0) {
      while (at <= end) {
        const { nextAt } = await pass()
        if (nextAt === undefined || nextAt.getTime() > end) break
        await goOnTo(Math.max(nextAt.getTime(), at + leastStepMs))
      }
      await goOnTo(end)
    },
  }
  return world
}
