/** Calls allowed in the fixed windows of one second and one minute, and of a day where there is such a limit. */
export interface WindowLimits {
  burst: number
  steady: number
  daily?: number
}

export type RateDecision =
  | { isAllowed: true; limit: number; remaining: number; resetSeconds: number }
  | { isAllowed: false; retryAfterSeconds: number }

class FixedWindow {
  readonly #length: number
  readonly #phase: number
  #index = -1
  #count = 0

  constructor(length: number, phase: number) {
    this.#length = length
    this.#phase = phase
  }

  countAt(now: number): number {
    const index = Math.floor((now + this.#phase) / this.#length)
    if (index !== this.#index) {
      this.#index = index
      this.#count = 0
    }
    return this.#count
  }

  add(): void {
    this.#count += 1
  }

  secondsLeft(now: number): number {
    const left = (this.#index + 1) * this.#length - this.#phase - now
    return Math.max(1, Math.ceil(left / 1000))
  }
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * The fixed windows of one endpoint. Where they begin is nobody's business: `random` moves them, so
 * that a client which counts on the clock's minutes is found out.
 */
export class RateWindows {
  readonly #limits: WindowLimits
  readonly #burst: FixedWindow
  readonly #steady: FixedWindow
  readonly #daily: FixedWindow

  constructor(limits: WindowLimits, random: () => number) {
    this.#limits = limits
    this.#burst = new FixedWindow(SECOND_MS, random() * SECOND_MS)
    this.#steady = new FixedWindow(MINUTE_MS, random() * MINUTE_MS)
    this.#daily = new FixedWindow(DAY_MS, 0)
  }

  take(now: number): RateDecision {
    const { burst, steady, daily = Number.POSITIVE_INFINITY } = this.#limits
    const inBurst = this.#burst.countAt(now)
    const inSteady = this.#steady.countAt(now)
    if (this.#daily.countAt(now) >= daily) {
      return { isAllowed: false, retryAfterSeconds: this.#daily.secondsLeft(now) }
    }
    if (inSteady >= steady) {
      return { isAllowed: false, retryAfterSeconds: this.#steady.secondsLeft(now) }
    }
    if (inBurst >= burst) {
      return { isAllowed: false, retryAfterSeconds: this.#burst.secondsLeft(now) }
    }
    this.#burst.add()
    this.#steady.add()
    this.#daily.add()
    return {
      isAllowed: true,
      limit: steady,
      remaining: steady - inSteady - 1,
      resetSeconds: this.#steady.secondsLeft(now),
    }
  }
}
