import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { Position, QuietCarts } from '../store/past-changes.js'

/** How long a cart has to be left alone: what is changed again within it is told once. */
export const quietMs = 60_000

const lookEveryMs = 5_000
const dayMs = 24 * 60 * 60_000

/**
 * Tells of carts once nobody changes them any more. Begins with those of the last day, since what was
 * told of a cart is kept with it.
 */
export function createCartWatch({ carts, clock }: { carts: QuietCarts; clock: Clock }): Worker {
  let from: Position | undefined
  let until: Date | undefined
  let isLooking = false
  let nextAt = 0

  const look = async (now: number): Promise<void> => {
    nextAt = now + lookEveryMs
    from ??= { at: new Date(now - dayMs), id: undefined }
    // A look that has more pages keeps its end, so that it comes to one.
    until ??= new Date(now - quietMs)
    const next = await carts.tell(from, until)
    from = next ?? { at: until, id: undefined }
    if (next === undefined) until = undefined
    else nextAt = now
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
