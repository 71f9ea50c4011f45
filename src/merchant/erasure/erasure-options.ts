import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { DocumentId } from '../../core/database/document-id.js'
import { callback, schemaOf } from '../../core/options-schema.js'

export const orderChoices = ['keep', 'anonymise'] as const

/** What becomes of a person's orders and payments. */
export type OrderChoice = (typeof orderChoices)[number]

/** The person that is erased. */
export interface ErasedPerson {
  /** In lower case. */
  emails: readonly string[]
  /** E.164. */
  phoneNumbers: readonly string[]
  /** The id of the deleted account; absent for a person without one. */
  customerId?: DocumentId
}

/** How a person is erased. */
export interface ErasureOptions {
  /**
   * What becomes of the orders and payments of a person whose account is deleted, and what the admin and
   * the command suggest. `keep`: they stay as they are, since the law asks most shops to keep their books
   * for years. `anonymise`: they lose the customer, the address but for its country, and every text
   * that somebody may have typed. Default `keep`.
   */
  orders?: OrderChoice
  /**
   * Fields of orders, payments and carts that stay although they hold text, such as `['invoiceNumber']`. Every
   * other text goes when a document is anonymised, also in fields of the store's own and of its payment
   * methods. A dot leads into a group, an array, or a blocks field and then a block. Default: none.
   */
  keepFields?: readonly string[]
  /**
   * Erases what the store itself holds of the person, such as reviews. It runs in the transaction of the
   * erasure where there is one. When it throws, nothing is erased, and the account stays; on SQLite
   * without transactions, and where many accounts are deleted at once, the account is gone, and it is
   * tried again until it works. It may also run again for the same person after a crash. Default: nothing.
   *
   * @example
   * onErase: async ({ customerId }, { req }) => {
   *   if (customerId === undefined) return
   *   await req.payload.delete({ collection: 'reviews', where: { author: { equals: customerId } }, req })
   * }
   */
  onErase?: (
    person: ErasedPerson,
    context: { req: PayloadRequest; orders: OrderChoice },
  ) => void | Promise<void>
}

export const erasureOptions = schemaOf<ErasureOptions>()(
  z.strictObject({
    orders: z.optional(z.enum(orderChoices)),
    keepFields: z.optional(z.readonly(z.array(z.string()))),
    onErase: z.optional(callback<ErasureOptions['onErase']>()),
  }),
)
