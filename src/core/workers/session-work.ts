import type { Shop } from '../shop.js'
import { every } from '../effects.js'
import type { Session } from './deliverer.js'
import { renewEveryMs, type Lease, type LeaseNotes } from './lease.js'

/** Another process has taken over: nothing in the memory of this one can be trusted. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over the delivery.')
  }
}

/** Why a session ended: another process delivers, or the state of the database is uncertain. */
type SessionEnd = 'lost' | 'in doubt'

export type SessionWork = ReturnType<typeof createSessionWork>

interface SessionWorkSetup {
  lease: Lease
  /** What is noted in the lease when it is renewed or given back. */
  notes: () => LeaseNotes
  /** Called when a piece of work is over, because the sends that waited for it may go now. */
  onChange: () => void
}

/** The work that a session has begun, and whether the session may go on. It renews the lease until `close`. */
export function createSessionWork(
  { effects, log }: Pick<Shop, 'effects' | 'log'>,
  { lease, notes, onChange }: SessionWorkSetup,
) {
  const running = new Set<Promise<void>>()
  let ended: SessionEnd | undefined

  function begin(what: () => Promise<void>): void {
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
  }

  async function renew(): Promise<void> {
    if (!(await lease.renew(notes()))) throw new LeaseLost()
  }

  const endRenewing = every(effects, renewEveryMs, () => begin(renew))
  return {
    running,
    begin,
    renew,

    ended: (): SessionEnd | undefined => ended,

    isOpen: (): boolean => ended === undefined && lease.remainingMs() > 0,

    /** Ends the session. The next one reads from the database what is marked and what is sent. */
    doubt(): void {
      ended ??= 'in doubt'
    },

    /** Waits for the work under way, then gives the lease back. */
    async close(left = notes): Promise<void> {
      // A renewal that was begun meanwhile would take the lease again after it was given back.
      while (running.size > 0) await Promise.all(running)
      endRenewing()
      if (ended !== 'lost') await lease.giveBack(left())
    },
  }
}

/** The session of a shop without an outbox: it keeps the lease for the workers, and makes no calls. */
export function keepLease(shop: Shop, lease: Lease, onChange: () => void): Session {
  const notes = () => ({ ...lease.notes, at: shop.effects.now().getTime() })
  const work = createSessionWork(shop, { lease, notes, onChange })
  return {
    running: work.running,
    isLeaseHeld: lease.isHeld,
    isOpen: work.isOpen,
    wake: () => undefined,
    poll: () => Promise.resolve({ begun: 0, nextAt: undefined, isBusy: false }),
    close: () => work.close(),
  }
}
