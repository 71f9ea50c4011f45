import { z } from 'zod'
import { jobCancelled, type ImportError, type Reply } from '../marketing/platform.js'
import { ask, nextCursor, pageLinks } from './ask.js'
import { problem, type CallContext } from './exchange.js'
import { isAboutPhone } from './outcomes.js'

const jobDocument = z.object({
  data: z.object({
    attributes: z.object({ status: z.string(), failed_count: z.number().nullish() }),
  }),
})

/** How far a job is. */
export async function importJob(
  context: CallContext,
  job: string,
): Reply<{ isComplete: boolean; failedCount: number }> {
  const query = { 'fields[profile-bulk-import-job]': 'status,failed_count' }
  const question = { path: pathOf(job), query, schema: jobDocument, namesOne: true }
  const answer = await ask(context, question)
  if ('failed' in answer) return answer
  const { document, ...rate } = answer
  const { status, failed_count: failedCount } = document.data.attributes
  if (status === 'cancelled') return { failed: { is: 'refused', error: cancelled }, ...rate }
  return { isComplete: status === 'complete', failedCount: failedCount ?? 0, ...rate }
}

/** What it did not take has no error of its own. */
const cancelled = problem(jobCancelled, 'The platform cancelled the import before it was through.')

const errorsDocument = z.object({
  data: z.array(
    z.object({
      attributes: z.object({
        code: z.string(),
        detail: z.string(),
        source: z.object({ pointer: z.string().nullish() }).nullish(),
        original_payload: z.unknown(),
      }),
    }),
  ),
  links: pageLinks,
})

/** A page holds the profiles that were not taken: a hundred, each of them up to 100 KB. */
const errorsPage = { size: '100', bytes: 12_000_000 } as const

/** A page of a job's errors. */
export async function importErrors(
  context: CallContext,
  job: string,
  page?: string,
): Reply<{ errors: ImportError[]; nextPage?: string }> {
  const cursor = page === undefined ? {} : { 'page[cursor]': page }
  const answer = await ask(context, {
    path: `${pathOf(job)}/import-errors`,
    query: { 'page[size]': errorsPage.size, ...cursor },
    answerBytes: errorsPage.bytes,
    schema: errorsDocument,
    namesOne: true,
  })
  if ('failed' in answer) return answer
  const { document, ...rate } = answer
  const nextPage = nextCursor(document.links)
  return {
    errors: document.data.map(({ attributes }) => errorOf(attributes)),
    ...(nextPage !== undefined && { nextPage }),
    ...rate,
  }
}

type Attributes = z.infer<typeof errorsDocument>['data'][number]['attributes']

function errorOf({ code, detail, source, original_payload }: Attributes): ImportError {
  const pointer = source?.pointer ?? undefined
  const error = { code, detail, ...(pointer !== undefined && { pointer }) }
  const isAmendable = code === duplicateProfile || isAboutPhone(error)
  return { email: emailOf(original_payload), error, ...(isAmendable && { isAmendable }) }
}

/** Two profiles have the identifiers: what the call for one answers with 409. */
const duplicateProfile = 'duplicate_profile'

const withEmail = z.object({ email: z.string() }).transform(({ email }) => email.toLowerCase())
const withAttributes = z.object({ attributes: withEmail }).transform(({ attributes }) => attributes)
const withData = z.object({ data: withAttributes }).transform(({ data }) => data)

/** The profile as it was sent; how much of what was around it is kept, the documents do not say. */
const emailOf = (payload: unknown): string | undefined =>
  z.union([withEmail, withAttributes, withData]).safeParse(payload).data

const pathOf = (job: string): string =>
  // Two dots would lead to another path, even encoded; no id is made of dots.
  `/api/profile-bulk-import-jobs/${/^\.+$/.test(job) ? '-' : encodeURIComponent(job)}`
