/** When a failed send is tried again, and when it is given up. */
export interface RetrySchedule {
  /** The longest wait after the first failure; doubles with each further one. */
  firstWaitMs: number
  longestWaitMs: number
  /** A send is given up when it is at least this old ... */
  horizonMs: number
  /** ... and was tried at least so often: days without a key must not use up its tries. */
  leastAttempts: number
}

const second = 1000
const hour = 60 * 60 * second

/**
 * Full jitter: each wait is anything from nothing to the bound below, half of it on average
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 *
 * | failure | wait up to | on average, since the first failure |
 * | ------- | ---------- | ----------------------------------- |
 * | 1       | 5 s        | 2.5 s                               |
 * | 2       | 10 s       | 7.5 s                               |
 * | 3       | 20 s       | 17.5 s                              |
 * | 4       | 40 s       | 37.5 s                              |
 * | 5       | 80 s       | 1 min 18 s                          |
 * | 6       | 2 min 40 s | 2 min 38 s                          |
 * | 7       | 5 min 20 s | 5 min 18 s                          |
 * | 8       | 10 min 40 s | 10 min 38 s                        |
 * | 9       | 21 min 20 s | 21 min 18 s                        |
 * | 10      | 42 min 40 s | 42 min 38 s                        |
 * | 11      | 1 h 25 min | 1 h 25 min                          |
 * | 12      | 2 h 51 min | 2 h 51 min                          |
 * | 13      | 5 h 41 min | 5 h 41 min                          |
 * | 14 ...  | 6 h        | 8 h 41 min, then 3 h more each      |
 * | 44      | 6 h        | 4 days                              |
 */
export const retrySchedule: Readonly<RetrySchedule> = {
  firstWaitMs: 5 * second,
  longestWaitMs: 6 * hour,
  horizonMs: 4 * 24 * hour,
  leastAttempts: 13,
}

/** How long to wait after the given number of failures. `random` is from 0 up to 1. */
export function waitMs(schedule: RetrySchedule, failures: number, random: number): number {
  const bound = schedule.firstWaitMs * 2 ** Math.max(0, failures - 1)
  return Math.floor(Math.min(schedule.longestWaitMs, bound) * random)
}
