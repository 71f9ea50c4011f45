/** How much is measured. */
export interface Sizes {
  acceptConnections: number[]
  acceptSeconds: number
  acceptRounds: number
  /** Of posts at an even rate. */
  steadySeconds: number
  steadyRate: number
  /** Many, as a p99 of 300 posts is that of the third slowest. */
  steadyRounds: number
  /** Sends that wait. */
  waiting: number
  /** Posts that wait during an outage, and how long others are posted after it. */
  backlog: number
  recoverySeconds: number
  recoveryRounds: number
  latencyPosts: number
  /** Minutes of posts at the documented limits that are drained. */
  drainMinutes: { sqlite: number; postgres: number }
  /** Posts whose delivery is profiled: fewer than the limits of a minute let through. */
  profiledPosts: number
}

export const fullSizes: Sizes = {
  acceptConnections: [1, 8, 64],
  acceptSeconds: 2,
  acceptRounds: 5,
  steadySeconds: 3,
  steadyRate: 100,
  steadyRounds: 25,
  waiting: 1_000_000,
  backlog: 100_000,
  recoverySeconds: 25,
  recoveryRounds: 3,
  latencyPosts: 500,
  drainMinutes: { sqlite: 2, postgres: 1 },
  profiledPosts: 40_000,
}

/** Shows that the bench works; its figures say little. */
export const quickSizes: Sizes = {
  acceptConnections: [64],
  acceptSeconds: 0.5,
  acceptRounds: 1,
  steadySeconds: 1,
  steadyRate: 50,
  steadyRounds: 1,
  waiting: 5_000,
  backlog: 10_000,
  recoverySeconds: 2,
  recoveryRounds: 1,
  latencyPosts: 20,
  drainMinutes: { sqlite: 0.02, postgres: 0.02 },
  profiledPosts: 500,
}
