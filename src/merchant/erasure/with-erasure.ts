import type {
  BasePayload,
  CollectionAfterDeleteHook,
  CollectionBeforeDeleteHook,
  CollectionConfig,
  Field,
  PayloadRequest,
} from 'payload'
import { notAColumn } from '../../core/payload/either-version.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Begun, Erasures } from './erasures.js'

type ErasuresOf = (payload: BasePayload) => Promise<{ erasures: Erasures }>

/** Erases the person of a deleted account, and says so before, on the account's page and above the list. */
export function withErasure(customers: CollectionConfig, partsOf: ErasuresOf): CollectionConfig {
  const { admin, hooks = {} } = customers
  const aboveList = admin?.components?.beforeListTable ?? []
  const begun = new WeakMap<PayloadRequest, Map<DocumentId, Begun | undefined>>()

  const begin: CollectionBeforeDeleteHook = async ({ id, req }) => {
    const drafts = begun.get(req) ?? new Map<DocumentId, Begun | undefined>()
    begun.set(req, drafts)
    drafts.set(id, await (await partsOf(req.payload)).erasures.begin(id, req))
  }

  const finish: CollectionAfterDeleteHook = async ({ doc, id, req }) => {
    const draft = begun.get(req)?.get(id)
    begun.get(req)?.delete(id)
    if (draft !== undefined) await (await partsOf(req.payload)).erasures.finish(draft, req)
    return doc as unknown
  }

  return {
    ...customers,
    admin: {
      ...admin,
      components: { ...admin?.components, beforeListTable: [...aboveList, erasureListNotice] },
    },
    fields: [erasureNotice, ...customers.fields],
    hooks: {
      ...hooks,
      beforeDelete: [...(hooks.beforeDelete ?? []), begin],
      afterDelete: [...(hooks.afterDelete ?? []), finish],
    },
  }
}

const erasureListNotice = 'payload-storeconnect/rsc#ErasureListNotice'

/** On top of the page, and not in the sidebar, which a phone shows at the bottom. */
const erasureNotice: Field = {
  name: 'erasureNotice',
  type: 'ui',
  admin: {
    components: { Field: 'payload-storeconnect/rsc#ErasureNotice' },
    ...notAColumn,
  },
}
