import type { CallAnswer, CallOptions, Outcome } from '../marketing/platform.js'
import type { ApiAnswer, ApiRequest, Exchange } from './exchange.js'
import { outcomesOf, type Batch } from './outcomes.js'
import { readRate } from './rate-reading.js'

/** What every call here is made with. */
export interface CallParts {
  exchange: Exchange
  now: () => Date
}

/** A call that carries sends. */
export interface Call {
  request: ApiRequest
  batch: Batch
  /** What an answer that says yes means for each of them. */
  delivered?: (document: unknown) => Outcome
}

export async function makeCall(
  { exchange, now }: CallParts,
  { request, batch, delivered = () => ({ is: 'delivered' }) }: Call,
  options: CallOptions,
): Promise<CallAnswer> {
  const answer = await exchange(request, options)
  const outcomes = outcomesOf(answer, batch, { now: now(), apiKey: options.apiKey, delivered })
  return {
    outcomes,
    ...rateOf(answer, now()),
    ...(answer.is === 'too-large' && { isUnasked: true }),
  }
}

/** What the answer says of the limits, as a field to spread. */
export function rateOf(answer: ApiAnswer, now: Date): Pick<CallAnswer, 'rate'> {
  const rate = answer.is === 'answered' ? readRate(answer.status, answer.headers, now) : undefined
  return rate === undefined ? {} : { rate }
}
