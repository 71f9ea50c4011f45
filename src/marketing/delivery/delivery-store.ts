import type { Shop } from '../../core/shop.js'
import { createKnownVariants } from '../klaviyo/known-variants.js'
import { pruneSends } from './pruning.js'
import { sendStatements } from './send-statements.js'
import { sendsInCalls } from './sends-in-calls.js'
import { sendsOfPeople } from './sends-of-people.js'
import { waitingSends } from './waiting-sends.js'

/** The deliverer's reads and writes of sends. A write changes nothing once the lease is lost. */
export function createDeliveryStore(shop: Shop) {
  const statements = sendStatements(shop)
  return {
    /** The most rows of a statement that begins now. */
    rowsAtOnce: statements.pieces.rowsAtOnce,
    knownVariants: createKnownVariants(shop.database),
    ...waitingSends(statements),
    ...sendsOfPeople(statements),
    ...sendsInCalls(statements),
    ...pruneSends(statements),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
