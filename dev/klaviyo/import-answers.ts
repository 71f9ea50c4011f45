import { DUPLICATE, listWithId, type Answer, type AnswerParts, type Call } from './answer-parts.ts'
import { notFound, titleOf } from './api-error.ts'
import type { FaultKind } from './faults.ts'
import type { ProfileInput } from './profile-book.ts'
import { onlyFields, onlyKnown, pageOf, readChoices, readFields } from './query.ts'
import { jobResource, listResource } from './resources.ts'
import type { ImportError, ImportJob } from './stored.ts'

interface ProfilesBody {
  data: {
    attributes: { profiles: { data: ProfileInput[] } }
    relationships?: { lists?: { data?: { id: string }[] } }
  }
}

const JOB_FIELDS = [
  'completed_at',
  'completed_count',
  'created_at',
  'expires_at',
  'failed_count',
  'id',
  'started_at',
  'status',
  'total_count',
]
const LIST_FIELDS = ['created', 'id', 'name', 'opt_in_process', 'updated']
const ERROR_FIELDS = ['code', 'detail', 'id', 'original_payload', 'source', 'title']
const CANCEL: ReadonlySet<FaultKind> = new Set(['cancel-job'])

/** Bulk imports: jobs that are asked for later. */
export const importAnswers = ({ account, faults, later, jobSeconds }: AnswerParts) => {
  const jobWithId = (id: string): ImportJob => {
    const job = account.jobs.get(id)
    if (!job) throw notFound(`A profile-bulk-import-job with id ${id} does not exist.`)
    return job
  }

  /** Why the job cannot take a profile: what only turns up when it is written. */
  const importError = (
    input: ProfileInput,
  ): Omit<ImportError, 'id' | 'originalPayload'> | undefined => {
    const marked = faults.strikeMarked('profiles', 'import-error', (marker) =>
      JSON.stringify(input).includes(marker),
    )
    if (marked) {
      const detail = 'The profile could not be imported.'
      return { code: 'invalid', title: titleOf(400), detail, pointer: '/data/attributes' }
    }
    const match = account.book.match(input)
    if (match.is === 'two') return { ...DUPLICATE, title: titleOf(409) }
    if (match.is !== 'unknown-id') return undefined
    const detail = `A profile with id ${String(input.id)} does not exist.`
    return { code: 'not_found', title: titleOf(404), detail, pointer: '/data/id' }
  }

  return {
    profiles({ url, body }: Call): Answer {
      onlyKnown(url.searchParams, ['fields[profile-bulk-import-job]'])
      const fields = readFields(url.searchParams, 'profile-bulk-import-job', JOB_FIELDS)
      const { attributes, relationships } = (body as ProfilesBody).data
      const lists = (relationships?.lists?.data ?? []).map(({ id }, at) => {
        listWithId(account, id, `/data/relationships/lists/data/${at}/id`)
        return id
      })
      const profiles = attributes.profiles.data
      const job = account.newJob(profiles.length, lists)
      const isCancelled = faults.strike('profiles', CANCEL) !== undefined
      later(() => {
        if (isCancelled) job.status = 'cancelled'
        else account.runJob(job, profiles, importError)
      }, jobSeconds())
      const resource = onlyFields(jobResource(url.origin, job), fields)
      return { status: 202, document: { data: resource, links: resource.links } }
    },

    'import-job'({ url, id }: Call): Answer {
      onlyKnown(url.searchParams, ['fields[list]', 'fields[profile-bulk-import-job]', 'include'])
      const fields = readFields(url.searchParams, 'profile-bulk-import-job', JOB_FIELDS)
      const listFields = readFields(url.searchParams, 'list', LIST_FIELDS)
      const included = readChoices(url.searchParams, 'include', ['lists'])
      const job = jobWithId(id)
      if (job.status === 'queued') {
        job.status = 'processing'
        job.startedAt = job.createdAt
      }
      return {
        status: 200,
        document: {
          data: onlyFields(jobResource(url.origin, job), fields),
          ...(included && {
            included: job.lists.map((list) =>
              onlyFields(listResource(url.origin, listWithId(account, list, '/data')), listFields),
            ),
          }),
        },
      }
    },

    'import-errors'({ url, id }: Call): Answer {
      onlyKnown(url.searchParams, ['fields[import-error]', 'page[cursor]', 'page[size]'])
      const fields = readFields(url.searchParams, 'import-error', ERROR_FIELDS)
      const size = { default: 20, max: 100 }
      const page = pageOf(jobWithId(id).errors, { url, origin: url.origin, size })
      const data = page.entries.map(({ id: errorId, pointer, originalPayload, ...error }) =>
        onlyFields(
          {
            type: 'import-error',
            id: errorId,
            attributes: { ...error, source: { pointer }, original_payload: originalPayload },
          },
          fields,
        ),
      )
      return { status: 200, document: { data, links: page.links } }
    },
  }
}
