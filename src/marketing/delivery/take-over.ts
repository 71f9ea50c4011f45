import type { Shop } from '../../core/shop.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Lease } from './lease.js'
import { putOffSuspects, settleLostCalls, type InFlightSend } from './lost-calls.js'
import type { ProfileQueues } from './profile-queues.js'
import { unreadImport } from './send.js'

interface TakeOverSetup {
  store: DeliveryStore
  lease: Lease
  queues: ProfileQueues
  renew: () => Promise<void>
  /** The process that delivered before may have a clock that is ahead of this one by so much. */
  aheadMs: number
}

/** Takes over the sends that the previous deliverer had in calls and imports. */
export async function takeOver({ waits, effects }: Shop, setup: TakeOverSetup): Promise<void> {
  const { store, lease, queues, renew, aheadMs } = setup
  const isInImport = ({ job, call }: InFlightSend) => job !== undefined || call === unreadImport

  async function settleLost(lost: readonly InFlightSend[]): Promise<void> {
    // If this process is lost too, the next one has to know by how much these moments are ahead.
    await renew()
    await store.settle(settleLostCalls(lost, waits.now()), lease, effects.now())
    const suspects = await store.readSuspects(effects.now())
    await store.putOff(putOffSuspects(suspects, waits.now()), lease)
  }

  if (aheadMs > 0) await store.bringForward(aheadMs, lease)
  const inFlight = await store.readInFlight(effects.now())
  const lost = inFlight.filter((send) => !isInImport(send))
  if (lost.length > 0) await settleLost(lost)
  const known = lost.length > 0 ? await store.readInFlight(effects.now()) : inFlight
  for (const send of known.filter(isInImport)) queues.hold(send, send.dueAt)
}
