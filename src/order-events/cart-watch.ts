import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { Position, QuietCarts } from '../store/past-changes.js'

/** How long a cart has to be left alone: what is changed again within it is told once. */
export const quietMs = 60_000

const lookEveryMs = 5_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const furthestBackMs = 7 * dayMs

/** How often it is kept how far the watch has come. */
const keepEveryMs = 5 * minuteMs

/** A change may be written some time after the moment that it bears. */
const overlapMs = 10 * minuteMs

/**
 * Tells of carts once nobody changes them any more. Begins where the last watch has come to, of
 * whichever process, and with those of the last day where there was none: what was told of a cart is
 * kept with it.
 */
export function createCartWatch({ carts, clock }: { carts: QuietCarts; clock: Clock }): Worker {
  let from: Position | undefined
  let until: Date | undefined
  let keepAt = 0
  let isLooking = false
  let nextAt = 0

  const beginning = async (now: number): Promise<Date> => {
    const lastEnd = await carts.lastEnd()
    const behind = lastEnd === undefined ? now - dayMs : lastEnd.getTime() - overlapMs
    return new Date(Math.max(behind, now - furthestBackMs))
  }

  const look = async (now: number): Promise<void> => {
    nextAt = now + lookEveryMs
    from ??= { at: await beginning(now), id: undefined }
    // A look that has more pages keeps its end, so that it comes to one.
    until ??= new Date(now - quietMs)
    const next = await carts.tell(from, until)
    if (next !== undefined) {
      from = next
      nextAt = now
      return
    }
    if (now >= keepAt) {
      await carts.keepEnd(until)
      keepAt = now + keepEveryMs
    }
    from = { at: until, id: undefined }
    until = undefined
  }

  return {
    name: 'cart watch',
    next(): Promise<Step> {
      const now = clock.now().getTime()
      if (isLooking || now < nextAt) return Promise.resolve({ nextAt: new Date(nextAt) })
      isLooking = true
      const run = () => look(now).finally(() => (isLooking = false))
      return Promise.resolve({ run })
    },
  }
}
