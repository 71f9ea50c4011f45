import { z } from 'zod'
import type { Reply } from '../marketing/platform.js'
import type { ApiRequest, CallContext } from './exchange.js'
import { call, platformError, unreadable } from './call.js'

export interface Question<Document> extends Omit<ApiRequest, 'method' | 'body'> {
  schema: z.ZodType<Document>
  /** The path holds an id, which a 404 is about. */
  namesOne?: boolean
}

/** The document that was asked for, or why there is none. */
export async function ask<Document>(
  context: CallContext,
  { schema, namesOne = false, ...request }: Question<Document>,
): Reply<{ document: Document }> {
  const { reading, ...rate } = await call(context, { method: 'GET', ...request })
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

export const pageLinks = z.object({ next: z.string().nullish() }).nullish()

/** The cursor of the next page. No address that an answer names is called. */
export const nextCursor = (links: z.infer<typeof pageLinks>): string | undefined =>
  URL.canParse(links?.next ?? '')
    ? (new URL(links?.next ?? '').searchParams.get('page[cursor]') ?? undefined)
    : undefined
