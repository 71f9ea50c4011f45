import * as z from 'zod/mini'
import { jobCancelled, type ImportError, type Reply } from './platform.js'
import { ask, nextCursor, pageLinks } from './call.js'
import { problem, type CallContext } from './ask-api.js'
import { valueAt } from '../../core/payload/document-value.js'
import { isAboutPhone } from './outcomes.js'
import { withoutPeople } from './platform-error-text.js'

const jobDocument = z.object({
  data: z.object({
    attributes: z.object({ status: z.string(), failed_count: z.nullish(z.number()) }),
  }),
})

/** Reads the progress of a job. */
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

/** The platform gives no errors for the profiles that a cancelled job did not import. */
const cancelled = problem(jobCancelled, 'The platform cancelled the import before it was finished.')

const errorsDocument = z.object({
  data: z.array(
    z.object({
      attributes: z.object({
        code: z.string(),
        detail: z.string(),
        source: z.nullish(z.object({ pointer: z.nullish(z.string()) })),
        original_payload: z.unknown(),
      }),
    }),
  ),
  links: pageLinks,
})

/** A page contains the refused profiles: a hundred, each of up to 100 KB. */
const errorsPage = { size: '100', bytes: 12_000_000 } as const

/** Reads one page of a job's errors. */
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
  const error = { code, detail: withoutPeople(detail), ...(pointer !== undefined && { pointer }) }
  const isAmendable = code === duplicateProfile || isAboutPhone(error)
  return { email: emailOf(original_payload), error, ...(isAmendable && { isAmendable }) }
}

/** Two profiles have these identifiers. The call for one profile answers 409 in this case. */
const duplicateProfile = 'duplicate_profile'

/**
 * Reads the email from the profile as it was sent. Klaviyo does not document how much of the body
 * around the profile it returns.
 */
function emailOf(payload: unknown): string | undefined {
  const places = ['email', 'attributes.email', 'data.attributes.email']
  const values = places.map((place) => valueAt(payload, place))
  return values.find((value) => typeof value === 'string')?.toLowerCase()
}

const pathOf = (job: string): string =>
  // Two dots would lead to another path, even encoded. No real id consists of dots.
  `/api/profile-bulk-import-jobs/${/^\.+$/.test(job) ? '-' : encodeURIComponent(job)}`
