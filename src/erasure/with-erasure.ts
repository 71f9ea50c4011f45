import type {
  BasePayload,
  CollectionAfterDeleteHook,
  CollectionBeforeDeleteHook,
  CollectionConfig,
  Field,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../database/document-id.js'
import type { Begun, Erasures } from './erasures.js'

type ErasuresOf = (payload: BasePayload) => { erasures: Erasures }

/** Erases the person of a deleted account, and says so on the account's page before. */
export function withErasure(customers: CollectionConfig, partsOf: ErasuresOf): CollectionConfig {
  const { hooks = {} } = customers
  const begun = new WeakMap<PayloadRequest, Map<DocumentId, Begun | undefined>>()

  const begin: CollectionBeforeDeleteHook = async ({ id, req }) => {
    const drafts = begun.get(req) ?? new Map<DocumentId, Begun | undefined>()
    begun.set(req, drafts)
    drafts.set(id, await partsOf(req.payload).erasures.begin(id, req))
  }

  const finish: CollectionAfterDeleteHook = async ({ doc, id, req }) => {
    const draft = begun.get(req)?.get(id)
    begun.get(req)?.delete(id)
    if (draft !== undefined) await partsOf(req.payload).erasures.finish(draft, req)
    return doc as unknown
  }

  return {
    ...customers,
    fields: [erasureNotice, ...customers.fields],
    hooks: {
      ...hooks,
      beforeDelete: [...(hooks.beforeDelete ?? []), begin],
      afterDelete: [...(hooks.afterDelete ?? []), finish],
    },
  }
}

/** On top of the page, and not in the sidebar, which a phone shows at the bottom. */
const erasureNotice: Field = {
  name: 'erasureNotice',
  type: 'ui',
  admin: {
    components: { Field: 'payload-storeconnect/rsc#ErasureNotice' },
    disableListColumn: true,
  },
}
