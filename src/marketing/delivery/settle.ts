import { sleep } from '../../core/effects.js'
import type { Shop } from '../../core/shop.js'
import type { DeliveryStore } from './delivery-store.js'
import { groupWrites } from '../../core/workers/group-writes.js'
import type { Lease } from '../../core/workers/lease.js'
import { LeaseLost } from '../../core/workers/session-work.js'
import type { ProfileQueues } from './profile-queues.js'
import type { Settlement } from './send.js'

/** Less is left of a lease that was not renewed lately, or whose process had its clock set ahead. */
const renewedLeaseMs = 5_000

/** The wait before a failed write is tried again. */
const errorWaitMs = 500

/** Sends in one statement. More save nothing, because its cost grows with its rows. */
const settledAtOnce = 5_000

interface SettleSetup {
  store: DeliveryStore
  lease: Lease
  queues: ProfileQueues
  renew: () => Promise<void>
}

/** Writes what became of sends, then changes the queues accordingly. */
export function createSettle({ effects, log, visitors }: Shop, setup: SettleSetup) {
  const { store, lease, queues, renew } = setup

  /** Retries, because a short outage of the database must not send delivered sends again. */
  async function untilWritten(settlements: readonly Settlement[]): Promise<void> {
    for (;;) {
      try {
        // After a clock was set, whoever takes over has to know by how much what follows is ahead.
        if (lease.remainingMs() < renewedLeaseMs) await renew()
        return await store.settle(settlements, lease, effects.now())
      } catch (error) {
        if (lease.remainingMs() <= 0 || error instanceof LeaseLost) throw new LeaseLost()
        log.error(
          { err: error },
          'The results of a call could not be stored; they are written again',
        )
        await sleep(effects, errorWaitMs)
      }
    }
  }

  function settled(settlement: Settlement): void {
    const { id } = settlement
    const send = queues.get(id)
    if (send === undefined) return
    if (settlement.to === 'queued') {
      const { nextAttemptAt, attempts, batchSize, isUnanswered = false } = settlement
      Object.assign(send, { dueAt: nextAttemptAt.getTime(), attempts, batchSize, isUnanswered })
      return
    }
    queues.drop([id])
  }

  return groupWrites<Settlement>(settledAtOnce, async (settlements) => {
    await untilWritten(settlements)
    await visitors.turn(settlements.length)
    settlements.forEach(settled)
  })
}
