import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { ask, call, klaviyoError, readErrors, unreadable } from './call.js'
import type { KlaviyoError, RateLimit, Reply } from './call-answer.js'
import { moment } from './find-consents.js'

/** Why Klaviyo refused an entry of a job. `place` is undefined when it does not say which one. */
export interface EntryError {
  place: number | undefined
  error: KlaviyoError
}

/** Klaviyo's words for what it has already. */
export const isThereAlready = ({ code, detail }: KlaviyoError): boolean =>
  /duplicate|conflict|already exists/i.test(`${code} ${detail}`)

/** Of an entry that was not taken, when no error names it. */
export const noReason: KlaviyoError = { code: 'UNEXPECTED', detail: 'Klaviyo did not say why.' }

const startedDocument = z.object({ data: z.object({ id: z.string() }) })

/** A job, by Klaviyo's names: `list` is that of its entries. */
interface NewJob {
  path: string
  type: string
  list: string
  entries: readonly unknown[]
}

/** Begins a job. `errors` instead of a job: Klaviyo refused it at once, and did nothing. */
export async function startJob(
  context: CallContext,
  { path, type, list, entries }: NewJob,
): Reply<{ job: string } | { errors: EntryError[] }> {
  const attributes = { [list]: { data: entries } }
  const body = { data: { type, attributes } }
  const { result, ...rate } = await call(context, { method: 'POST', path, body })
  if (result.is === 'taken') {
    const { data } = startedDocument.safeParse(result.document)
    return data ? { job: data.data.id, ...rate } : { failed: unreadable(result.status), ...rate }
  }
  if (result.is === 'rejected') {
    const { status, errors } = result
    // Without an id in the path a 404 means that the endpoint is missing: the URL is wrong.
    if (status === 404) {
      return { failed: { is: 'misconfigured', error: klaviyoError(status, errors[0]) }, ...rate }
    }
    const found = (errors.length > 0 ? errors : [{}]).map((error) => ({
      place: placeIn(error.pointer),
      error: klaviyoError(status, error),
    }))
    return { errors: found, ...rate }
  }
  // We refuse what is too large, before it is sent.
  if (result.is === 'refused') {
    return { errors: [{ place: undefined, error: result.error }], ...rate }
  }
  return { failed: result, ...rate }
}

/** The place of an entry in its job. */
function placeIn(pointer: string | undefined): number | undefined {
  const place = /^\/data\/attributes\/[\w-]+\/data\/(\d{1,3})(?:\/|$)/.exec(pointer ?? '')?.[1]
  return place === undefined ? undefined : Number(place)
}

const jobDocument = z.object({
  data: z.object({
    attributes: z.object({
      status: z.string(),
      created_at: moment,
      failed_count: z.nullish(z.number()),
      errors: z.nullish(z.array(z.unknown())),
    }),
  }),
})

/** A job that Klaviyo has not done by then is taken for lost. */
const longestJobMs = 6 * 60 * 60_000

export type JobState =
  | { is: 'open' }
  /** Klaviyo cancelled it, no longer knows it, or does not end it. */
  | { is: 'lost' }
  /** `failed`: how many entries were not taken, which may be more than there are errors. */
  | { is: 'done'; failed: number; errors: EntryError[] }

export async function readJob(
  context: CallContext,
  { path, job }: { path: string; job: string },
): Reply<{ state: JobState }> {
  const answer = await ask(context, {
    path: `${path}/${encodeURIComponent(job)}`,
    schema: jobDocument,
    namesOne: true,
  })
  // The states of some kinds of jobs have larger limits, which are not those of all.
  const rate = answer.rate && { rate: withoutLimit(answer.rate) }
  if ('failed' in answer) {
    const { failed } = answer
    const isGone = failed.is === 'refused' && failed.error.status === 404
    return isGone ? { state: { is: 'lost' }, ...rate } : { failed, ...rate }
  }
  return { state: stateOf(answer.document, context), ...rate }
}

function withoutLimit({ retryAfterSeconds }: RateLimit): RateLimit {
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
}

function stateOf({ data }: z.infer<typeof jobDocument>, { apiKey, now }: CallContext): JobState {
  const { status, created_at: begunAt, failed_count: failed, errors } = data.attributes
  if (status === 'cancelled') return { is: 'lost' }
  if (status !== 'complete') {
    // The process that posted it may be gone: Klaviyo says when that was.
    const isStuck = begunAt && now().getTime() - begunAt.getTime() > longestJobMs
    return { is: isStuck ? 'lost' : 'open' }
  }
  const found = readErrors({ errors: errors ?? [] }, apiKey).map((error) => ({
    place: placeIn(error.pointer),
    error: klaviyoError(200, error),
  }))
  return { is: 'done', failed: failed ?? found.length, errors: found }
}
