import type { BasePayload } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import { valueAt } from './document-value.js'

/**
 * Whether somebody can log in to the account: it exists, is verified where that is asked for, and has a
 * password where nothing else lets anybody in. A lock changes nothing: wrong passwords of anybody
 * cause it (`decisions.md`, Cart restore).
 */
export async function isAbleToLogIn(
  payload: BasePayload,
  account: { collection: string; id: DocumentId },
): Promise<boolean> {
  const auth = payload.collections[account.collection]?.config.auth
  if (auth === undefined) return false
  const hasOwnStrategy = auth.strategies.length > 0
  if (auth.disableLocalStrategy && !hasOwnStrategy) return false
  // Below Payload's pipeline, which hides these fields.
  const user = await payload.db.findOne({
    collection: account.collection,
    where: { id: { equals: account.id } },
  })
  if (user === null || valueAt(user, 'deletedAt') !== undefined) return false
  if (!hasOwnStrategy && !valueAt(user, 'hash')) return false
  return !auth.verify || valueAt(user, '_verified') === true
}
