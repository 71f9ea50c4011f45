import type { Visitors } from '../../src/core/workers/visitors.js'

/** Nobody waits for an answer. */
export const noVisitors: Visitors = { areHere: () => false, turn: () => Promise.resolve() }
