import type { Shop } from '../../core/shop.js'
import { beginCalls } from './begin-calls.js'
import { dueSends } from './due-sends.js'
import { pruneSends } from './prune-sends.js'
import { sendStatements } from './send-statements.js'
import { sendsOfPeople } from './sends-of-people.js'
import { settleSends } from './settle-sends.js'
import { waitingSends } from './waiting-sends.js'

/** The deliverer's reads and writes of sends. A write changes nothing once the lease is lost. */
export function createDeliveryStore(shop: Shop) {
  const statements = sendStatements(shop)
  return {
    /** Tells that somebody has posted, so that the statements of the delivery make room. */
    posted: statements.pieces.posted,
    ...waitingSends(statements),
    ...sendsOfPeople(statements),
    ...beginCalls(statements),
    ...settleSends(statements),
    ...dueSends(statements),
    ...pruneSends(statements),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
