import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import { afterAll, beforeAll } from 'vitest'
import { createDeliverer, type Deliverer } from '../../../src/delivery/deliverer.js'
import { createDeliveryStore } from '../../../src/delivery/delivery-store.js'
import { createLeases, leaseSlug } from '../../../src/delivery/lease.js'
import type { NewSend, SendState } from '../../../src/delivery/send.js'
import { createOutbox, type Outbox } from '../../../src/delivery/outbox.js'
import { sendsSlug, sendTable } from '../../../src/delivery/send-table.js'
import type { Shop } from '../../../src/shop.js'
import type { Message } from '../../../src/klaviyo/message.js'
import type { PlatformBounds } from '../../../src/klaviyo/platform.js'
import {
  defaultMarketingSettings,
  type MarketingSettings,
} from '../../../src/marketing-settings/marketing-settings.js'
import { sqlDatabase, type Database } from '../../../src/database/database.js'
import { endLease } from '../../support/end-lease.js'
import { shopOf } from '../../support/shop-of.js'
import { openStore, type TestStore } from '../../support/store.js'
import { passes, passWithLease, waking, type Drain } from '../passes.js'
import { ModelPlatform } from './model-platform.js'

export interface LoggedLine {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  sentence: string
}

/** What is stored of a send. */
export interface StoredRow {
  state: SendState
  email: string
  attempts: number
  dueAt: number
  error: { code: string } | undefined
}

/** An outbox, a platform and deliverers on a clock that stands still until it is moved. */
export interface DrainWorld {
  outbox: Outbox
  platform: ModelPlatform
  settings: MarketingSettings
  lines: LoggedLine[]
  drain: Drain
  /** The same, for a loop. */
  deliverer: Deliverer
  shop: Shop
  /** The drain of another process. */
  anotherDrain: () => Drain
  /** The lease runs out, and with it the time of the calls under way. */
  endLease: () => Promise<void>
  /** What the database is asked meanwhile is answered. */
  settled: () => Promise<void>
  now: () => number
  moveTo: (at: number) => void
  store: (...messages: Message[]) => Promise<void>
  /** Passes, moving the clock on to whenever there is something to do, and at least so much, until then. */
  runUntil: (end: number, leastStepMs?: number) => Promise<void>
  rows: () => Promise<StoredRow[]>
  /** How many are in each state. */
  counts: () => Promise<Partial<Record<SendState, number>>>
}

export const worldStart = Date.UTC(2026, 0, 1)

const longestLeaseMs = 10_000

/** Worlds on one database, each with nothing in it. */
export function drainWorlds() {
  let opened: TestStore | undefined
  beforeAll(async () => {
    opened = await openStore('sqlite')
  })
  afterAll(() => opened?.close())
  return async (options: { bounds?: PlatformBounds; seed?: number } = {}): Promise<DrainWorld> => {
    if (opened === undefined) throw new Error('The database is not open yet.')
    const database = sqlDatabase(opened.payload)
    for (const slug of [sendsSlug, leaseSlug]) {
      await database.run(sql`delete from ${database.table(slug)}`)
    }
    return drainWorld(opened.payload, options)
  }
}

function drainWorld(
  payload: BasePayload,
  options: { bounds?: PlatformBounds; seed?: number },
): DrainWorld {
  let at = worldStart
  let stored = 0
  const deadlines = new Set<{ controller: AbortController; at: number }>()
  const random = seeded(options.seed ?? 1)
  const platform = new ModelPlatform(() => at, options.bounds, Math.floor(random() * 60_000))
  const lines: LoggedLine[] = []
  const line =
    (level: LoggedLine['level']) => (fields: Record<string, unknown>, sentence: string) =>
      void lines.push({ level, fields, sentence })
  const settings: MarketingSettings = {
    ...defaultMarketingSettings,
    privateApiKey: 'key',
    keyProblem: undefined,
  }
  const shop: Shop = {
    ...shopOf(payload, {
      now: () => new Date(at),
      // A pass takes no time, so that nothing depends on how long the machine needs for it.
      steadyMs: () => at,
      random,
      deadline(ms) {
        const controller = new AbortController()
        deadlines.add({ controller, at: at + ms })
        return controller.signal
      },
    }),
    log: { info: line('info'), warn: line('warn'), error: line('error') },
  }
  const { database } = shop
  const aDeliverer = () =>
    createDeliverer(shop, {
      store: createDeliveryStore(shop),
      leases: createLeases(shop),
      platform,
      settings: () => Promise.resolve(settings),
      accountConsents: () => Promise.resolve(new Map()),
    })
  const outbox = waking(createOutbox(database), () => drain.wake())
  const deliverer = aDeliverer()
  const drain = passes(deliverer)
  const moveTo = (next: number): void => {
    at = next
    for (const deadline of deadlines) {
      if (deadline.at > at) continue
      deadlines.delete(deadline)
      deadline.controller.abort()
    }
  }
  const rows = () => readRows(database)
  return {
    outbox,
    platform,
    settings,
    lines,
    drain,
    deliverer,
    shop,
    anotherDrain: () => passes(aDeliverer()),
    async endLease() {
      moveTo(at + longestLeaseMs)
      await endLease(database)
    },
    async settled() {
      for (let turn = 0; turn < 10; turn++) {
        await database.rows(sql`select 1`)
        await new Promise<void>((resolve) => void setImmediate(resolve))
      }
    },
    now: () => at,
    moveTo,
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
        const { nextAt } = await passWithLease(drain)
        if (nextAt === undefined || nextAt.getTime() > end) break
        moveTo(Math.max(nextAt.getTime(), at + leastStepMs))
      }
      moveTo(end)
    },
    rows,
    async counts() {
      const counts: Partial<Record<SendState, number>> = {}
      for (const { state } of await rows()) counts[state] = (counts[state] ?? 0) + 1
      return counts
    },
  }
}

async function readRows(database: Database): Promise<StoredRow[]> {
  const { table, bare } = sendTable(database)
  const rows =
    await database.rows(sql`select ${bare.state} as "state", ${bare.profile} as "profile",
      ${bare.attempts} as "attempts", ${bare.nextAttemptAt} as "dueAt", ${bare.errorCode} as "code"
    from ${table} order by length(${bare.key}), ${bare.key}`)
  return rows.map((row) => ({
    state: row.state as SendState,
    email: String(row.profile).replace('email:', ''),
    attempts: Number(row.attempts),
    dueAt: new Date(String(row.dueAt)).getTime(),
    error: typeof row.code === 'string' ? { code: row.code } : undefined,
  }))
}

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
