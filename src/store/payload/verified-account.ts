import type { BasePayload } from 'payload'
import { valueAt } from './document-value.js'

/** Whether accounts of a collection have to show that their address is theirs. */
export const asksForVerification = (payload: BasePayload, collection: string): boolean =>
  Boolean(payload.collections[collection]?.config.auth?.verify)

/** Whether an account has shown it, as Payload keeps it: where that is not asked for, it has. */
export const isVerified = (payload: BasePayload, collection: string, account: unknown): boolean =>
  !asksForVerification(payload, collection) || valueAt(account, '_verified') === true
