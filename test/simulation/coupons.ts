import { sqlDatabase } from '../../src/core/database/database.js'
import { couponCodes } from '../../src/marketing/coupons/coupon-codes.js'
import type { CouponOptions, GivenCoupons } from '../../src/marketing/coupons/coupon-options.js'
import type { Span } from './model.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

export const couponChanges = ['is used', 'is tried'] as const

/** Klaviyo gives somebody a code, and an order has it; or another cart gets a code that an order has. */
export interface CouponStep {
  do: 'coupon'
  what: (typeof couponChanges)[number]
  at: number
}

/** All codes are gone. Whoever fills the stock again dies with one of its next calls, or with its answer. */
export interface RunOutStep {
  do: 'coupons run out'
  after: number
}

const stock = 4
const untilCountedMs = 10 * 60_000

const codesOf = ({ payload }: SimProcess) => couponCodes(sqlDatabase(payload))

/** A store that makes codes, and who uses them. */
export class Coupons {
  readonly #used: (Span & { code: string })[] = []
  #made = 0

  /** Without the steps there are none. */
  readonly options: CouponOptions

  constructor(readonly world: World) {
    const { of, steps } = world.run
    const makeCodes: GivenCoupons['makeCodes'] = ({ count }) =>
      Array.from({ length: count }, () => ({ code: `CODE-${++this.#made + 1_000}` }))
    const isOn =
      of !== 'shop' && steps.some((step) => step.do === 'coupon' || step.do === 'coupons run out')
    this.options = isOn ? { coupons: { id: 'COME-BACK', stock, makeCodes } } : {}
  }

  do({ what, at }: CouponStep): void {
    if (what === 'is used') void this.#use(at)
    else void this.#try(at)
  }

  /** The stock is counted every ten minutes. */
  async runOut({ after }: RunOutStep): Promise<void> {
    this.world.klaviyo.state.coupons.give(Infinity)
    this.world.sleep(untilCountedMs)
    await this.world.processes.killInCalls(1, after)
  }

  async #use(at: number): Promise<void> {
    const process = this.world.processes.at(at)
    const [code] = this.world.klaviyo.state.coupons.give(1)
    if (code === undefined) return
    const used = this.world.moments.begin({ code })
    this.#used.push(used)
    const note = async () => {
      await codesOf(process).noteUsed([code], new Date())
      return true
    }
    if (await process.saved(note)) this.world.moments.end(used)
  }

  async #try(at: number): Promise<void> {
    const process = this.world.processes.at(at)
    const code = this.#used.findLast(({ ended }) => ended)?.code
    if (code === undefined) return
    const isGood = await process.saved(() => codesOf(process).isGood(code, new Date()))
    if (isGood) this.world.witness.wrong.add(`good for two carts: ${code}`)
  }

  /** What is wrong when nothing is due any more. */
  async problems(): Promise<string[]> {
    if (this.options.coupons === undefined) return []
    const { coupons } = this.world.klaviyo.state
    const rows = await this.world.rows('select id, state from marketing_coupon_codes')
    const own = rows.map(({ id, state }) => ({ code: String(id), state: String(state) }))
    const there = new Map([...coupons.codes.values()].map(({ code, status }) => [code, status]))
    const free = coupons.free().length
    return [
      ...(own.length === 0 ? ['no codes'] : []),
      ...(free > stock ? [`${free} codes to give`] : []),
      ...own
        .filter(({ state }) => state !== 'there' && state !== 'told')
        .map(({ code, state }) => `still ${state}: ${code}`),
      ...own.filter(({ code }) => !there.has(code)).map(({ code }) => `lost: ${code}`),
      ...[...there].flatMap(([code, status]) => {
        const uses = this.#used.filter((used) => used.code === code)
        return [
          ...(own.every((one) => one.code !== code) ? [`from nowhere: ${code}`] : []),
          ...(status === 'USED' && uses.length === 0 ? [`nobody has used: ${code}`] : []),
          ...(status !== 'USED' && uses.some(({ ended }) => ended) ? [`not told: ${code}`] : []),
        ]
      }),
    ]
  }
}
