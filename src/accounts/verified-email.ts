import type { BasePayload, CollectionBeforeChangeHook, Field } from 'payload'
import { readEmail } from '../klaviyo/email.js'
import { ownNote } from '../orders/order-fields.js'
import type { IsAdmin } from '../payload/admin-access.js'
import { isVerified, valueAt } from '../payload/document-value.js'

/** The account's field that holds the address to which its verification belongs. */
export const verifiedEmailField = 'verifiedEmail'

export const verifiedEmailFields = (): Field[] => [
  { ...ownNote, name: verifiedEmailField, type: 'text' },
]

/**
 * Notes the address to which Payload mails its link, which is that of a new account, or for which an admin
 * or the store's own code vouches. Payload keeps `_verified` when a customer changes the email, and lets
 * every user who is logged in set it.
 */
export const rememberVerifiedEmail =
  (isAdmin: IsAdmin): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const isCreated = operation === 'create'
    const isVouchedFor =
      valueAt(data, '_verified') === true &&
      (isCreated || valueAt(originalDoc, '_verified') !== true)
    if (!isCreated && !isVouchedFor) return data as unknown
    const isTrusted = !isVouchedFor || !req.user || (await isAdmin({ req }))
    const email = isTrusted ? (valueAt(data, 'email') ?? null) : null
    return { ...(data as Record<string, unknown>), [verifiedEmailField]: email }
  }

/**
 * The email that is the account's own, because it was verified as that address: not one to which the account
 * was changed later, and none in a store that verifies no emails.
 */
export function provedEmail(
  payload: BasePayload,
  collection: string,
  account: unknown,
): string | undefined {
  const asked = Boolean(payload.collections[collection]?.config.auth?.verify)
  const email = valueAt(account, verifiedEmailField)
  return asked && isVerified(payload, collection, account) && typeof email === 'string'
    ? readEmail(email)
    : undefined
}
