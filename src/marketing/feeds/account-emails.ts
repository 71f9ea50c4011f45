import { isEmailChanged } from '../../carts/accounts/verified-email.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { isVerified, valueAt } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import type { OrderParts } from '../../shop/orders/parts.js'

export interface AccountEmail {
  email: string
  /** Whether events name the account too, besides its email. */
  isNamed: boolean
}

export type AccountEmails = ReadonlyMap<DocumentId | undefined, AccountEmail>

export type FindAccountEmails = ReturnType<typeof createAccountEmails>

/** Leaves out admins, and accounts that are not verified, where the collection requires it. */
export const createAccountEmails =
  ({ payload, customersSlug }: Shop, { isAdminAccount }: OrderParts) =>
  async (ids: readonly (DocumentId | undefined)[]): Promise<AccountEmails> => {
    const present = ids.filter((id) => id !== undefined)
    if (customersSlug === undefined || present.length === 0) return new Map()
    const { docs } = await payload.find({
      collection: customersSlug,
      where: { id: { in: present } },
      depth: 0,
      pagination: false,
      joins: false,
    })
    const emails = new Map<DocumentId, AccountEmail>()
    for (const { id, ...rest } of docs) {
      const account = { ...rest, id, collection: customersSlug }
      if (!isVerified(payload, customersSlug, account) || (await isAdminAccount(account))) continue
      const email = valueAt(account, 'email')
      emails.set(id, {
        email: typeof email === 'string' ? email : '',
        isNamed: !isEmailChanged(payload, customersSlug, account),
      })
    }
    return emails
  }
