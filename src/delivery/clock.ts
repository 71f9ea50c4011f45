/** The current time. It is passed in so that a test can freeze it. */
export interface Clock {
  now(): Date
}
