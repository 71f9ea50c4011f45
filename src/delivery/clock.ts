/** What time it is. A part, so that a test can hold it. */
export interface Clock {
  now(): Date
}
