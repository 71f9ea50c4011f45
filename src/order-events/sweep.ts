import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { PastChanges, Position } from '../store/past-changes.js'

const minute = 60_000
const day = 24 * 60 * minute

/** How far back a sweep goes that comes after a long time. */
const furthestBackMs = 7 * day

const sweepEveryMs = 5 * minute

/** A change may be written some time after the moment that it bears. */
const overlapMs = 10 * minute

/** After a page that failed, the database may need a rest. */
const retryAfterMs = 5_000

/** One walk over what changed: by pages, each from where the last one ended. */
interface Walk {
  page: (from: Position) => Promise<Position | undefined>
  from: Position | undefined
}

/**
 * Finds what a crash left between a change and its sends, at start-up and every few minutes: all that
 * happened of late is told again, and what was told already is passed over. A walk begins where the
 * last one ended, of whichever process; a day back where there was none. It leaves out what may be half
 * written still; the first one, which has a crash to make up for, is followed by another as soon as that
 * is over.
 */
export function createSweep({ past, clock }: { past: PastChanges; clock: Clock }): Worker {
  let walks: Walk[] = []
  let isWalking = false
  let nextAt = 0
  let lastEnd: Date | undefined
  let until = new Date(0)
  let pauseMs = past.settleMs || sweepEveryMs

  const begin = async (now: number): Promise<void> => {
    lastEnd ??= await past.lastEnd()
    const behind = lastEnd === undefined ? now - day : lastEnd.getTime() - overlapMs
    const at = new Date(Math.max(behind, now - furthestBackMs))
    const since = new Date(Math.min(at.getTime(), now - day))
    until = new Date(now - past.settleMs)
    const from = { at, id: undefined }
    walks = [
      { from, page: (position) => past.tellOrders(position, { since, until }) },
      { from, page: (position) => past.tellCheckouts(position, until) },
      { from, page: (position) => past.tellAccounts(position, until) },
    ]
  }

  /** One page of the first walk that is not over. */
  const walkOn = async (now: number): Promise<void> => {
    // What fails is tried again from where it was, and not at once.
    nextAt = now + retryAfterMs
    if (walks.length === 0) await begin(now)
    const [walk] = walks
    if (walk?.from !== undefined) walk.from = await walk.page(walk.from)
    if (walk?.from === undefined) walks.shift()
    if (walks.length > 0) {
      nextAt = now
      return
    }
    await past.keepEnd(until)
    lastEnd = until
    nextAt = now + pauseMs
    pauseMs = sweepEveryMs
  }

  return {
    name: 'event sweep',
    next(): Promise<Step> {
      const now = clock.now().getTime()
      if (isWalking || now < nextAt) return Promise.resolve({ nextAt: new Date(nextAt) })
      isWalking = true
      const run = () => walkOn(now).finally(() => (isWalking = false))
      return Promise.resolve({ run })
    },
  }
}
