import { createCallBudget } from '../../../src/delivery/call-budget.js'
import { realEffects } from '../../../src/effects.js'
import type { Shop } from '../../../src/shop.js'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'

const silent = () => undefined

const silentLog = { info: silent, warn: silent, error: silent }

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
    bounds: klaviyoBounds,
    onRecovered: silent,
    onPause: silent,
  })
