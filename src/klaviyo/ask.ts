import { z } from 'zod'
import type { CallFailure, RateReading } from '../marketing/platform.js'
import type { ApiAnswer, ApiRequest, CallContext } from './exchange.js'
import { readRate } from './rate-reading.js'
import { platformError, readAnswer, unreadable } from './read-answer.js'

export interface Question<Document> extends Omit<ApiRequest, 'method' | 'body'> {
  schema: z.ZodType<Document>
  /** The path holds an id, which a 404 is about. */
  namesOne?: boolean
}

/** The document that was asked for, or why there is none. */
export async function ask<Document>(
  context: CallContext,
  { schema, namesOne = false, ...request }: Question<Document>,
): Promise<{ document: Document; rate?: RateReading } | CallFailure> {
  const answer = await context.exchange({ method: 'GET', ...request }, context)
  const rate = rateOf(answer, context)
  const reading = readAnswer(answer, context)
  if (reading.is === 'taken') {
    const { success, data } = schema.safeParse(reading.document)
    return success ? { document: data, ...rate } : { failed: unreadable(reading.status), ...rate }
  }
  if (reading.is !== 'rejected') return { failed: reading, ...rate }
  const { status, errors } = reading
  // Where nothing is named that could be gone, what is not there is the endpoint: a wrong URL.
  const is = status === 404 && !namesOne ? 'misconfigured' : 'refused'
  return { failed: { is, error: platformError(status, errors[0]) }, ...rate }
}

/** What the answer says of the limits, as a field to spread. */
export function rateOf(answer: ApiAnswer, { now }: CallContext): { rate?: RateReading } {
  const rate = answer.is === 'answered' ? readRate(answer.status, answer.headers, now()) : undefined
  return rate === undefined ? {} : { rate }
}

export const pageLinks = z.object({ next: z.string().nullish() }).nullish()

/** The cursor of the next page. No address that an answer names is called. */
export const nextCursor = (links: z.infer<typeof pageLinks>): string | undefined =>
  URL.canParse(links?.next ?? '')
    ? (new URL(links?.next ?? '').searchParams.get('page[cursor]') ?? undefined)
    : undefined
