const RealDate = Date

/**
 * Makes `new Date()` and `Date.now()` tell another time, for Payload stamps documents by them. Undefined from
 * `now` means the real time. Returns what puts the real clock back.
 */
export function virtualDates(now: () => number | undefined): () => void {
  class VirtualDate extends RealDate {
    constructor(...given: ConstructorParameters<typeof RealDate> | []) {
      if (given.length === 0) super(VirtualDate.now())
      else super(...(given as [number]))
    }

    static override now(): number {
      return now() ?? RealDate.now()
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate
    }
  }
  globalThis.Date = VirtualDate as DateConstructor
  return () => {
    globalThis.Date = RealDate
  }
}
