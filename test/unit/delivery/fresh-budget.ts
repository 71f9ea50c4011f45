import { createCallBudget } from '../../../src/delivery/call-budget.js'
import type { Clock } from '../../../src/workers/clock.js'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'

const silent = () => undefined

export const silentLog = { info: silent, warn: silent, error: silent }

/** A budget that knows of no call yet. */
export const freshBudget = (clock: Clock) =>
  createCallBudget({
    logs: {},
    bounds: klaviyoBounds,
    clock,
    random: () => 0.5,
    log: silentLog,
    onRecovered: silent,
    onPause: silent,
  })
