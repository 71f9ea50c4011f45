import type { DatabaseKind } from '../../test/support/store-config.js'

export interface Sizes {
  /** Minutes at the limit of calls. */
  rateMinutes: Record<DatabaseKind, number>
  speedOrders: number
  rounds: number
  /** More than go out while the posts do. */
  besideOrders: number
  latencyPosts: number
}

export const fullSizes: Sizes = {
  rateMinutes: { sqlite: 1, postgres: 1 },
  speedOrders: 5_000,
  rounds: 7,
  besideOrders: 80_000,
  latencyPosts: 300,
}

export const quickSizes: Sizes = {
  rateMinutes: { sqlite: 0.1, postgres: 0.1 },
  speedOrders: 500,
  rounds: 2,
  besideOrders: 20_000,
  latencyPosts: 30,
}
