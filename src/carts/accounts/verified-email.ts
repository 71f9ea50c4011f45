import { sql, type SQL } from 'drizzle-orm'
import type { BasePayload, CollectionBeforeChangeHook, Field } from 'payload'
import { column, optionalColumn, type PayloadTable } from '../../core/database/database.js'
import { readEmail } from '../../core/people/email.js'
import { ownNote } from '../../shop/orders/order-fields.js'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { isVerified, valueAt } from '../../core/payload/document-value.js'

/** The account's field that holds the address to which its verification belongs. */
export const verifiedEmailField = 'verifiedEmail'

export const verifiedEmailFields = (): Field[] => [
  { ...ownNote, name: verifiedEmailField, type: 'text' },
]

/**
 * Notes the address that is verified with an account: the address of a new account, to which Payload mails
 * its link, or one for which an admin or the store's own code vouches. `_verified` alone does not tell:
 * Payload keeps it when a customer changes the email, and lets every user who is logged in set it.
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
    // Blank means that no address is verified. Accounts from before this was noted have no value.
    const email = isTrusted ? (valueAt(data, 'email') ?? null) : ''
    return { ...(data as Record<string, unknown>), [verifiedEmailField]: email }
  }

/** Whether the account's email differs from the one that was verified, where that is known. */
export function isEmailChanged(
  payload: BasePayload,
  collection: string,
  account: unknown,
): boolean {
  const verified = valueAt(account, verifiedEmailField)
  return (
    Boolean(payload.collections[collection]?.config.auth?.verify) &&
    typeof verified === 'string' &&
    verified.toLowerCase() !== String(valueAt(account, 'email')).toLowerCase()
  )
}

/** The same for a table of accounts, in SQL. */
export const emailIsUnchanged = (accounts: PayloadTable): SQL => {
  const verified = optionalColumn(accounts, verifiedEmailField)
  return verified
    ? sql`(${verified} is null or lower(${verified}) = lower(${column(accounts, 'email')}))`
    : sql`true`
}

/**
 * The address that was verified with the account, even if it has another since; undefined in a store that verifies
 * none.
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
