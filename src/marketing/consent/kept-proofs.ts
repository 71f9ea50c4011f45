import type {
  BasePayload,
  CollectionBeforeDeleteHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { internalCollection } from '../../core/database/internal-collection.js'
import { formerCustomerField, ownNote } from '../../shop/orders/order-fields.js'
import { checkoutConsentFields } from './checkout-consent.js'

export const keptProofsSlug = 'marketing-consent-proofs'

/**
 * The proofs of deleted orders, because the subscriptions stay at Klaviyo. Only Storeconnect reads and
 * writes them.
 */
export const keptProofCollection = (customersSlug: string | undefined): CollectionConfig => ({
  slug: keptProofsSlug,
  ...internalCollection,
  fields: [
    // The order's number: SQLite gives the id of a deleted order to another one.
    { name: 'id', type: 'text', required: true },
    { name: 'order', type: 'text' },
    { name: 'reference', type: 'text' },
    { name: 'email', type: 'text', index: true },
    ...(customersSlug === undefined
      ? []
      : [{ name: 'customer', type: 'relationship', relationTo: customersSlug } as const]),
    ...checkoutConsentFields(),
    { ...ownNote, name: formerCustomerField, type: 'text' },
  ],
})

interface ProofKeeper {
  keep: (orderId: DocumentId, req: PayloadRequest) => Promise<void>
}

/** Keeps the proof of an order that is about to be deleted, in the same transaction. */
export const keepProof =
  (
    partsOf: (payload: BasePayload) => Promise<{ consentProofs: ProofKeeper }>,
  ): CollectionBeforeDeleteHook =>
  async ({ id, req }) =>
    (await partsOf(req.payload)).consentProofs.keep(id, req)
