import { createDrain, type Drain } from '../../../src/delivery/drain.js'
import type { CallLogStore } from '../../../src/delivery/call-log.js'
import type { NewSend } from '../../../src/delivery/outbox.js'
import type { Message } from '../../../src/marketing/message.js'
import type { PlatformBounds } from '../../../src/marketing/platform.js'
import type { Profile } from '../../../src/marketing/profile.js'
import {
  defaultMarketingSettings,
  type MarketingSettings,
} from '../../../src/settings/marketing-settings.js'
import { IndexedOutbox } from './indexed-outbox.js'
import { memoryCallLogs } from './memory-call-logs.js'
import { ModelPlatform } from './model-platform.js'

export interface LoggedLine {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  sentence: string
}

/** An outbox, a platform and drains on a clock that stands still until it is moved. */
export interface DrainWorld {
  outbox: IndexedOutbox
  platform: ModelPlatform
  callLogs: CallLogStore
  settings: MarketingSettings
  lines: LoggedLine[]
  drain: Drain
  now: () => number
  moveTo: (at: number) => void
  anotherDrain: () => Drain
  store: (...messages: Message[]) => Promise<void>
  /** Passes, moving the clock on to whenever there is something to do, until then. */
  runUntil: (end: number) => Promise<void>
}

export const worldStart = Date.UTC(2026, 0, 1)

export function drainWorld(options: { bounds?: PlatformBounds; seed?: number } = {}): DrainWorld {
  let at = worldStart
  let stored = 0
  const deadlines = new Set<{ controller: AbortController; at: number }>()
  const random = seeded(options.seed ?? 1)
  const outbox = new IndexedOutbox()
  const platform = new ModelPlatform(() => at, options.bounds, Math.floor(random() * 60_000))
  const callLogs = memoryCallLogs()
  const lines: LoggedLine[] = []
  const line =
    (level: LoggedLine['level']) => (fields: Record<string, unknown>, sentence: string) =>
      void lines.push({ level, fields, sentence })
  const settings: MarketingSettings = {
    ...defaultMarketingSettings,
    privateApiKey: 'key',
    keyProblem: undefined,
  }
  const anotherDrain = () =>
    createDrain({
      outbox,
      callLogs,
      platform,
      settings: { marketing: () => Promise.resolve(settings) },
      log: { info: line('info'), warn: line('warn'), error: line('error') },
      clock: { now: () => new Date(at) },
      random,
      deadline(ms) {
        const controller = new AbortController()
        deadlines.add({ controller, at: at + ms })
        return controller.signal
      },
    })
  const drain = anotherDrain()
  const moveTo = (next: number): void => {
    at = next
    for (const deadline of deadlines) {
      if (deadline.at > at) continue
      deadlines.delete(deadline)
      deadline.controller.abort()
    }
  }
  return {
    outbox,
    platform,
    callLogs,
    settings,
    lines,
    drain,
    anotherDrain,
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
    async runUntil(end) {
      while (at <= end) {
        const { didWork, nextAt } = await drain.pass()
        if (didWork) continue
        if (nextAt === undefined || nextAt.getTime() > end) break
        moveTo(nextAt.getTime())
      }
      moveTo(end)
    },
  }
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

export const anEvent = (
  email: string,
  uniqueId: string,
  profile: Partial<Profile> = {},
): Message => ({
  kind: 'event',
  profile: { email, ...profile },
  event: { name: 'Viewed', uniqueId, properties: {} },
})

export const anIdentify = (email: string, profile: Partial<Profile> = {}): Message => ({
  kind: 'identify',
  profile: { email, ...profile },
})
