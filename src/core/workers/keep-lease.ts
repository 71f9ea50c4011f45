import { every } from '../effects.js'
import type { Shop } from '../shop.js'
import type { Session } from './deliverer.js'
import { renewEveryMs, type Lease } from './lease.js'
import { LeaseLost } from './lease-lost.js'
import { createSessionWork } from './session-work.js'

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
