import type { JobError } from './catalog.ts'

export interface CouponCode {
  coupon: string
  code: string
  status: string
  expiresAt: number
  /** How often it was made, whether it was there or not. */
  arrivals: number
}

export interface CouponJob {
  id: string
  createdAt: number
  completedAt: number | undefined
  codes: readonly Pick<CouponCode, 'coupon' | 'code' | 'expiresAt'>[]
  errors: JobError[]
}

/** The most jobs that may be in progress at one time. */
export const MAX_COUPON_JOBS = 100

/** The coupons of the account that come by its API. A job is done as a whole, later. */
export class Coupons {
  readonly jobs = new Map<string, CouponJob>()
  /** What each coupon gives, by the ids. */
  readonly all = new Map<string, string | undefined>()
  /** By the ids that Klaviyo makes of coupon and code. */
  readonly codes = new Map<string, CouponCode>()
  readonly #now: () => number
  readonly #newId: () => string

  constructor({ now, newId }: { now: () => number; newId: () => string }) {
    this.#now = now
    this.#newId = newId
  }

  openJobs(): number {
    return [...this.jobs.values()].filter(({ completedAt }) => completedAt === undefined).length
  }

  begin(codes: CouponJob['codes']): CouponJob {
    const id = this.#newId()
    const job: CouponJob = { id, createdAt: this.#now(), completedAt: undefined, codes, errors: [] }
    this.jobs.set(id, job)
    return job
  }

  /** @param refuses What is wrong with a code beside that it is there. */
  complete(job: CouponJob, refuses: (code: string) => string | undefined): void {
    job.completedAt = this.#now()
    for (const [at, { coupon, code, expiresAt }] of job.codes.entries()) {
      const id = `${coupon}-${code}`
      const existing = this.codes.get(id)
      if (existing) existing.arrivals += 1
      const refusal = refuses(code)
      const pointer = `/data/attributes/coupon-codes/data/${at}/attributes/unique_code`
      if (refusal !== undefined) job.errors.push({ code: 'invalid', detail: refusal, pointer })
      else if (existing) {
        const detail = `A coupon code ${id} already exists.`
        job.errors.push({ code: 'duplicate_object', detail, pointer })
      } else this.codes.set(id, { coupon, code, expiresAt, status: 'UNASSIGNED', arrivals: 1 })
    }
  }

  /** Those that a flow could give to somebody. */
  free(): CouponCode[] {
    return [...this.codes.values()].filter(
      ({ status, expiresAt }) => status === 'UNASSIGNED' && expiresAt > this.#now(),
    )
  }

  /** What a flow does: it shows each person the next code. */
  give(people: number): string[] {
    const given = this.free().slice(0, people)
    for (const one of given) one.status = 'ASSIGNED_TO_PROFILE'
    return given.map(({ code }) => code)
  }
}
