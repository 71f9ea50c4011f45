import type { Answer, AnswerParts, Call } from './answer-parts.ts'
import { ApiError, notFound } from './api-error.ts'
import type { Body } from './bodies.ts'
import { MAX_COUPON_JOBS, type CouponCode, type CouponJob } from './coupons.ts'
import { markerOf } from './faults.ts'
import { FilterError, parseFilter } from './filter.ts'
import { fieldsOf, onlyFields, pageOf, wrongParameter } from './query.ts'
import { bulkJobDocument, moment } from './resources.ts'

const yearMs = 365 * 24 * 60 * 60_000

/** Coupons, and jobs that make their codes: what fails in one is among its errors. */
export const couponAnswers = ({ account, faults, later, catalogSeconds }: AnswerParts) => {
  const { coupons } = account

  return {
    'new-coupon': ({ url, body }: Call): Answer => {
      const { external_id: id, description } = (body as Body<'new-coupon'>).data.attributes
      if (coupons.all.has(id)) {
        const detail = `A coupon with id ${id} already exists.`
        const pointer = '/data/attributes/external_id'
        throw new ApiError(409, [{ code: 'duplicate_object', detail, pointer }])
      }
      coupons.all.set(id, description ?? undefined)
      const self = `${url.origin}/api/coupons/${id}`
      const attributes = { external_id: id, description: description ?? null }
      return {
        status: 201,
        document: { data: { type: 'coupon', id, attributes, links: { self } }, links: { self } },
      }
    },

    'coupon-job': ({ url, body, receivedAt }: Call): Answer => {
      if (coupons.openJobs() >= MAX_COUPON_JOBS) {
        const detail = `At most ${MAX_COUPON_JOBS} jobs may be queued at one time.`
        throw new ApiError(429, [{ code: 'throttled', detail }], { 'retry-after': '10' })
      }
      const { data } = (body as Body<'coupon-job'>).data.attributes['coupon-codes']
      const codes = data.map(({ attributes, relationships }, at) => {
        const { id } = relationships.coupon.data
        if (!coupons.all.has(id)) {
          const pointer = `/data/attributes/coupon-codes/data/${at}/relationships/coupon/data/id`
          throw notFound(`There is no coupon ${id}.`, pointer)
        }
        const { unique_code: code, expires_at: expires } = attributes
        const expiresAt = expires ? Date.parse(expires) : receivedAt + yearMs
        return { coupon: id, code, expiresAt }
      })
      const job = coupons.begin(codes)
      const isPoisoned = (code: string) => {
        const fault = faults.strikeMarked('coupon-job', 'late-poison', (each) =>
          code.includes(each),
        )
        return fault && `The value ${markerOf(fault)} is not valid.`
      }
      later(() => coupons.complete(job, isPoisoned), catalogSeconds)
      return { status: 202, document: jobDocument(url.origin, job) }
    },

    'coupon-state': ({ url, id }: Call): Answer => {
      const job = coupons.jobs.get(id)
      if (job === undefined) throw notFound(`A job with id ${id} does not exist.`)
      return { status: 200, document: jobDocument(url.origin, job) }
    },

    'coupon-codes': ({ url, id }: Call): Answer => {
      if (!coupons.all.has(id)) throw notFound(`There is no coupon ${id}.`)
      const status = statusIn(url.searchParams.get('filter'))
      const all = [...coupons.codes.values()].filter(
        (each) => each.coupon === id && (status === undefined || each.status === status),
      )
      const size = { default: 100, max: 100 }
      const page = pageOf(all, { url, origin: url.origin, size })
      const fields = fieldsOf(url, 'coupon-code')
      const data = page.entries.map((code) => onlyFields(codeResource(url.origin, code), fields))
      return { status: 200, document: { data, links: page.links } }
    },

    'coupon-code': ({ url, id, body }: Call): Answer => {
      const code = coupons.codes.get(id)
      if (code === undefined) throw notFound(`There is no coupon code ${id}.`)
      const { status, expires_at: expires } = (body as Body<'coupon-code'>).data.attributes
      if (status) code.status = status
      if (expires) code.expiresAt = Date.parse(expires)
      const data = codeResource(url.origin, code)
      return { status: 200, document: { data, links: data.links } }
    },
  }
}

function statusIn(filter: string | null): string | undefined {
  if (filter === null) return undefined
  try {
    const { field, operator, values } = parseFilter(filter)
    if (field === 'status' && operator === 'equals') return values[0]
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw wrongParameter('filter', error.message)
  }
  throw wrongParameter('filter', 'The codes can be filtered by status here.')
}

function codeResource(origin: string, { coupon, code, status, expiresAt }: CouponCode) {
  const id = `${coupon}-${code}`
  return {
    type: 'coupon-code',
    id,
    attributes: { unique_code: code, expires_at: moment(expiresAt), status },
    links: { self: `${origin}/api/coupon-codes/${id}` },
  }
}

const jobDocument = (origin: string, job: CouponJob) =>
  bulkJobDocument(origin, job, {
    type: 'coupon-code-bulk-create-job',
    entries: job.codes,
    refused: 'The code was not made.',
  })
