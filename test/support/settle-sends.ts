import type { BasePayload } from 'payload'
import { createDeliveryStore, type ReadFrom } from '../../src/delivery/delivery-store.js'
import { createLeases } from '../../src/delivery/lease.js'
import type { NewSend } from '../../src/delivery/send.js'
import { createOutbox } from '../../src/delivery/outbox.js'
import { sendKinds, type Settlement } from '../../src/delivery/send.js'
import { shopOf } from './shop-of.js'

/** Stores sends and has all of them fail or succeed, as the deliverer writes it; nothing else waits. */
export async function settleSends(
  payload: BasePayload,
  sends: readonly NewSend[],
  to: 'sent' | { code: string; detail: string },
): Promise<void> {
  const shop = shopOf(payload)
  const now = new Date()
  await createOutbox(shop.database).store(sends.map((send) => ({ ...send, acceptedAt: now })))
  const store = createDeliveryStore(shop)
  const lease = await createLeases(shop).take()
  if (lease === undefined) throw new Error('Another process delivers.')
  const waiting = await store.readWaiting(fromTheStart, now)
  const ids = waiting.map(({ id }) => id)
  const begun = await store.begin([{ name: 'call', sends: waiting }], lease, {})
  if (begun.size !== sends.length) throw new Error('Others are in the call.')
  const settlements = ids.map((id): Settlement =>
    to === 'sent' ? { id, to } : { id, to: 'failed', error: to },
  )
  await store.settle(settlements, lease, now)
  await lease.giveBack({})
}

const fromTheStart = Object.fromEntries(
  sendKinds.map((kind) => [kind, { behind: 0, limit: 100 }]),
) as unknown as ReadFrom
