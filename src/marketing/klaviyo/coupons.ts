import * as z from 'zod/mini'
import type { ApiRequest, CallContext } from './ask-api.js'
import { isThereAlready, readJob, startJob } from './bulk-jobs.js'
import { ask, call, klaviyoError, nextCursor, pageLinks } from './call.js'
import type { KlaviyoError, Reply } from './call-answer.js'
import { moment } from './find-consents.js'

/** A coupon, which a template names by its id. */
export interface Coupon {
  id: string
  /** What it gives, for whoever writes mails. */
  description?: string | undefined
}

/** A code that one person gets. */
export interface CouponCode {
  code: string
  expiresAt: Date
}

const jobsPath = '/api/coupon-code-bulk-create-jobs'

/** Makes a coupon. One that is there already stays as it is. */
export const createCoupon = (
  context: CallContext,
  { id, description }: Coupon,
): Reply<{ is: 'done' }> =>
  write(
    context,
    {
      method: 'POST',
      path: '/api/coupons',
      body: {
        data: {
          type: 'coupon',
          attributes: { external_id: id, ...(description !== undefined && { description }) },
        },
      },
    },
    isThereAlready,
  )

/** Begins a job that makes up to `callLimits['coupon-job'].items` codes of a coupon. */
export const startCouponJob = (
  context: CallContext,
  { coupon, codes }: { coupon: string; codes: readonly CouponCode[] },
) =>
  startJob(context, {
    path: jobsPath,
    type: 'coupon-code-bulk-create-job',
    list: 'coupon-codes',
    entries: codes.map(({ code, expiresAt }) => ({
      type: 'coupon-code',
      attributes: { unique_code: code, expires_at: expiresAt.toISOString() },
      relationships: { coupon: { data: { type: 'coupon', id: coupon } } },
    })),
  })

export const readCouponJob = (context: CallContext, job: string) =>
  readJob(context, { path: jobsPath, job })

const codesDocument = z.object({
  data: z.array(z.object({ attributes: z.object({ expires_at: moment }) })),
  links: pageLinks,
})

/** How many codes of a page Klaviyo can still give out. `next` is absent on the last one. */
export interface FreeCodes {
  free: number
  next?: string
}

/** One page of the codes that nobody has. `no-coupon`: Klaviyo does not know the coupon. */
export async function readFreeCodes(
  context: CallContext,
  { coupon, cursor }: { coupon: string; cursor: string | undefined },
): Reply<{ codes: FreeCodes | 'no-coupon' }> {
  const answer = await ask(context, {
    path: `/api/coupons/${encodeURIComponent(coupon)}/coupon-codes`,
    query: {
      filter: 'equals(status,"UNASSIGNED")',
      'fields[coupon-code]': 'expires_at',
      'page[size]': '100',
      ...(cursor !== undefined && { 'page[cursor]': cursor }),
    },
    schema: codesDocument,
    namesOne: true,
  })
  if ('failed' in answer) {
    const { failed, ...rate } = answer
    const isUnknown = failed.is === 'refused' && failed.error.status === 404
    return isUnknown ? { codes: 'no-coupon', ...rate } : answer
  }
  const { document, ...rate } = answer
  const next = nextCursor(document.links)
  const free = document.data.filter(
    ({ attributes: { expires_at: at } }) => !at || at > context.now(),
  )
  return { codes: { free: free.length, ...(next !== undefined && { next }) }, ...rate }
}

/** Says that somebody has used a code. One that Klaviyo does not have needs no word. */
export function markCodeUsed(
  context: CallContext,
  { coupon, code }: { coupon: string; code: string },
): Reply<{ is: 'done' }> {
  const id = `${coupon}-${code}`
  return write(
    context,
    {
      method: 'PATCH',
      path: `/api/coupon-codes/${encodeURIComponent(id)}`,
      body: { data: { type: 'coupon-code', id, attributes: { status: 'USED' } } },
    },
    ({ status }) => status === 404,
  )
}

/** @param isDone Whether a refusal says that nothing is left to do. */
async function write(
  context: CallContext,
  request: ApiRequest,
  isDone: (error: KlaviyoError) => boolean,
): Reply<{ is: 'done' }> {
  const { result, ...rate } = await call(context, request)
  if (result.is === 'taken') return { is: 'done', ...rate }
  if (result.is !== 'rejected') return { failed: result, ...rate }
  const error = klaviyoError(result.status, result.errors[0])
  return isDone(error) ? { is: 'done', ...rate } : { failed: { is: 'refused', error }, ...rate }
}
