import type { DatabaseKind } from '../../test/support/store-config.js'

export interface Sizes {
  /** Minutes at the limit of calls. */
  rateMinutes: Record<DatabaseKind, number>
  speedOrders: number
  rounds: number
}

export const fullSizes: Sizes = {
  rateMinutes: { sqlite: 1, postgres: 1 },
  speedOrders: 5_000,
  rounds: 7,
}

export const quickSizes: Sizes = {
  rateMinutes: { sqlite: 0.1, postgres: 0.1 },
  speedOrders: 500,
  rounds: 2,
}
