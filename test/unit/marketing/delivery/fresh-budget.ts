import { createCallBudget } from '../../../../src/marketing/delivery/call-budget.js'
import type { WaitingSend } from '../../../../src/marketing/delivery/send.js'
import { realEffects } from '../../../../src/core/effects.js'
import type { Shop } from '../../../../src/core/shop.js'

const silent = () => undefined

const silentLog = { debug: silent, info: silent, warn: silent, error: silent }

/** What a budget is made with, at a moment of the test's own. */
export const shopAt = (now: () => Date): Pick<Shop, 'effects' | 'waits' | 'log'> => ({
  effects: { ...realEffects, now, random: () => 0.5 },
  waits: { now },
  log: silentLog,
})

/** A budget that knows of no call yet. */
export const freshBudget = (now: () => Date) =>
  createCallBudget(shopAt(now), {
    logs: {},
    onRecovered: silent,
    onPause: silent,
  })

/** A send that waits, of nobody in particular. */
export const aWaitingSend = (changes: Partial<WaitingSend> = {}): WaitingSend => ({
  id: 7,
  kind: 'identify',
  profile: 'email:a@x.io',
  list: undefined,
  bytes: 100,
  batchSize: Infinity,
  attempts: 0,
  crashes: 0,
  acceptedAt: new Date(1_800_000_000_000),
  dueAt: 1_800_000_000_000,
  isUnanswered: false,
  ...changes,
})
