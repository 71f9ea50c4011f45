import type { BasePayload } from 'payload'
import { sqlDatabase } from '../../src/core/database/database.js'
import type { NewSend, Settlement } from '../../src/marketing/delivery/send.js'
import { partsOf } from './parts.js'
import { namedSends } from './named-sends.js'
import { idOfKey } from './stored-sends.js'

/** Stores sends and has all of them fail or succeed, as the deliverer writes it. */
export async function settleSends(
  payload: BasePayload,
  sends: readonly NewSend[],
  to: 'sent' | { code: string; detail: string; acceptedAt?: Date },
): Promise<void> {
  const { acceptedAt: now = new Date(), ...error } = to === 'sent' ? unrefused : to
  await partsOf(payload).outbox.store(sends.map((send) => ({ ...send, acceptedAt: now })))
  const settlementOf = (id: number): Settlement =>
    to === 'sent' ? { id, to } : { id, to: 'failed', error }
  const keys = sends.map(({ key }) => key)
  await settleStored(payload, keys, { settlementOf, now })
}

const unrefused = { code: '', detail: '', acceptedAt: undefined }

/** Puts sends in a call, and writes what became of them, as the process that delivers does. */
export async function settleStored(
  payload: BasePayload,
  keys: readonly string[],
  { settlementOf, now }: { settlementOf: (id: number) => Settlement; now: Date },
): Promise<void> {
  const { deliveryStore, leases } = partsOf(payload)
  const lease = await leases.take()
  if (lease === undefined) throw new Error('Another process delivers.')
  const ids = await Promise.all(keys.map((key) => idOfKey({ payload }, key)))
  const sends = await namedSends(sqlDatabase(payload), ids)
  const begun = await deliveryStore.begin([{ name: 'call', sends }], lease, {})
  if (begun.size !== keys.length) throw new Error(`Not all could begin: ${keys.join(', ')}.`)
  await deliveryStore.settle(ids.map(settlementOf), lease, now)
  await lease.giveBack({})
}
