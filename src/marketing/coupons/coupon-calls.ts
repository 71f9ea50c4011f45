import type { Shop } from '../../core/shop.js'
import { putOff, type Did } from '../delivery/did.js'
import type { KlaviyoSessions } from '../delivery/klaviyo-sessions.js'
import type { Klaviyo } from '../klaviyo/klaviyo.js'
import { codeOutcomes } from './code-outcomes.js'
import type { CouponWork } from './coupon-codes.js'

/** How often open jobs are looked at: a stock has ten at most. */
const lookEveryMs = 5_000

export interface CouponCalling {
  work: CouponWork
  klaviyo: Klaviyo
  klaviyoSessions: KlaviyoSessions
  coupon: string
}

/** The calls that bring codes to Klaviyo, and tell it which were used. */
export function createCouponCalls(
  shop: Shop,
  { work, klaviyo, klaviyoSessions, coupon }: CouponCalling,
) {
  const { effects, waits, log } = shop
  const now = () => waits.now().getTime()
  let lookAt = 0

  /** Looks at each open job. */
  async function look(): Promise<Did> {
    if (now() < lookAt) return lookAt
    const jobs = await work.openJobs()
    if (jobs.length === 0) return 'nothing'
    for (const job of jobs) {
      const answer = await klaviyoSessions.ask({
        name: 'coupon-state',
        items: 1,
        make: (options) => klaviyo.readCouponJob(job, options),
      })
      if (answer === undefined || !('state' in answer)) return (lookAt = putOff(shop, answer))
      const { state } = answer
      if (state.is === 'lost') {
        log.warn({ job }, 'A job of coupon codes was lost, and is made again')
        await work.noteLost(job)
      } else if (state.is === 'done') {
        const codes = await work.ofJob(job)
        log.info({ job, codes: codes.length, failed: state.failed }, 'Klaviyo has new coupon codes')
        await work.settle(job, codeOutcomes(codes, state))
      }
    }
    return (lookAt = now() + lookEveryMs)
  }

  /** Posts the next job. */
  async function send(): Promise<Did> {
    const own = effects.uuid()
    const codes = await work.take(own)
    if (codes.length === 0) return 'nothing'
    const answer = await klaviyoSessions.ask({
      name: 'coupon-job',
      items: codes.length,
      make: (options) => klaviyo.startCouponJob({ coupon, codes }, options),
    })
    if (answer !== undefined && 'job' in answer) {
      await work.noteJob(own, answer.job)
      return 'something'
    }
    if (answer !== undefined && 'errors' in answer) {
      const about = { failed: codes.length, errors: answer.errors, isWhole: true }
      const ids = codes.map(({ code }) => code)
      await work.settle(own, codeOutcomes(ids, about))
      return 'something'
    }
    await work.noteLost(own)
    return putOff(shop, answer)
  }

  /** Tells Klaviyo of the next code that was used. */
  async function tell(): Promise<Did> {
    const code = await work.nextUsed()
    if (code === undefined) return 'nothing'
    const answer = await klaviyoSessions.ask({
      name: 'coupon-code',
      items: 1,
      make: (options) => klaviyo.markCodeUsed({ coupon, code }, options),
    })
    if (answer !== undefined && 'is' in answer) await work.noteTold(code)
    else if (answer !== undefined && 'failed' in answer && answer.failed.is === 'refused')
      await work.noteTold(code, answer.failed.error)
    else return putOff(shop, answer)
    return 'something'
  }

  return { look, send, tell }
}

export type CouponCalls = ReturnType<typeof createCouponCalls>
