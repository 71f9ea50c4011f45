import type { Shop } from '../shop.js'
import { every } from '../effects.js'
import type { Session } from './deliverer.js'
import { renewEveryMs, type Lease } from './lease.js'

/** Another process has taken over: nothing in the memory of this one can be trusted. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over the delivery.')
  }
}

/** Why a session ended: another process delivers, or the state of the database is uncertain. */
type SessionEnd = 'lost' | 'in doubt'

export type SessionWork = ReturnType<typeof createSessionWork>

/**
 * The work that a session has begun, and whether the session may go on.
 *
 * @param onChange Called when a piece of work is over, because the sends that waited for it may go now.
 */
export function createSessionWork({ log }: Pick<Shop, 'log'>, onChange: () => void) {
  const running = new Set<Promise<void>>()
  let ended: SessionEnd | undefined
  return {
    running,

    ended: (): SessionEnd | undefined => ended,

    /** Ends the session. The next one reads from the database what is marked and what is sent. */
    doubt(): void {
      ended ??= 'in doubt'
    },

    begin(what: () => Promise<void>): void {
      const run: Promise<void> = what()
        .catch((error: unknown) => {
          if (error instanceof LeaseLost) ended = 'lost'
          else log.error({ err: error }, 'The delivery failed and will try again')
        })
        .finally(() => {
          running.delete(run)
          onChange()
        })
      running.add(run)
    },
  }
}

/** The session of a shop without an outbox: it keeps the lease for the workers, and makes no calls. */
export function keepLease(shop: Shop, lease: Lease, onChange: () => void): Session {
  const work = createSessionWork(shop, onChange)

  const notes = () => ({ ...lease.notes, at: shop.effects.now().getTime() })

  async function renew(): Promise<void> {
    if (!(await lease.renew(notes()))) throw new LeaseLost()
  }

  const endRenewing = every(shop.effects, renewEveryMs, () => work.begin(renew))
  return {
    running: work.running,
    isLeaseHeld: lease.isHeld,
    isOpen: () => work.ended() === undefined && lease.remainingMs() > 0,
    wake: () => undefined,
    poll: () => Promise.resolve({ begun: 0, nextAt: undefined, isBusy: false }),
    async close() {
      await Promise.all(work.running)
      endRenewing()
      if (work.ended() !== 'lost') await lease.giveBack(notes())
    },
  }
}
