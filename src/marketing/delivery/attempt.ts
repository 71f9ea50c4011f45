/**
 * What an answer meant for a send. `given-up`: it failed for too long. `split`: one of several is bad, and they go in
 * smaller calls. `reduced`: it goes without the refused value. `requeue`: another one of its call was refused. `lost`:
 * the process ended before it read the answer.
 */
export type Meaning =
  | 'delivered'
  | 'skipped'
  | 'later'
  | 'given-up'
  | 'refused'
  | 'split'
  | 'reduced'
  | 'requeue'
  | 'misconfigured'
  | 'lost'

/** One attempt to deliver a send, as its row keeps it in JSON. */
export interface Attempt {
  at: string
  meant: Meaning
  /** How long the call took. */
  ms?: number
  status?: number
  /** Klaviyo's id of the request. */
  request?: string
  code?: string
  detail?: string
  pointer?: string
  /** When it is tried again. */
  next?: string
}

/** How many attempts a row keeps. */
export const attemptsKept = 10
