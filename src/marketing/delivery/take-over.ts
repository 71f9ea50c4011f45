import type { Shop } from '../../core/shop.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Lease } from '../../core/workers/lease.js'
import { putOffSuspects, settleLostCalls } from './lost-calls.js'

interface TakeOverSetup {
  store: DeliveryStore
  lease: Lease
  renew: () => Promise<void>
  /** The process that delivered before may have a clock that is ahead of this one by so much. */
  aheadMs: number
}

/** Takes over the sends that the previous deliverer had in calls. */
export async function takeOver({ waits, effects }: Shop, setup: TakeOverSetup): Promise<void> {
  const { store, lease, renew, aheadMs } = setup

  if (aheadMs > 0) await store.bringForward(aheadMs, lease)
  const lost = await store.readInFlight()
  if (lost.length === 0) return
  // If this process is lost too, the next one has to know by how much these moments are ahead.
  await renew()
  await store.settle(settleLostCalls(lost, waits.now()), lease, effects.now())
  const suspects = await store.readSuspects()
  await store.putOff(putOffSuspects(suspects, waits.now()), lease)
}
