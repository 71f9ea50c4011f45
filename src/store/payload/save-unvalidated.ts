import { updateByIDOperation, type Collection, type PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'

/**
 * Saves a document through Payload's own update operation, all its hooks included, but without
 * validation (`interface.md`, States: "the order is saved without validation"). The operation takes
 * the collection's config as an argument, so it gets a copy whose fields do not validate.
 */
export async function saveUnvalidated(
  { collectionSlug, id, data }: UnvalidatedSave,
  req: PayloadRequest,
): Promise<void> {
  const collection = req.payload.collections[collectionSlug]
  if (collection === undefined) throw new TypeError(`There is no collection "${collectionSlug}".`)
  await updateByIDOperation({
    collection: unvalidated(collection),
    id,
    data,
    depth: 0,
    overrideAccess: true,
    overrideLock: true,
    req,
  })
}

interface UnvalidatedSave {
  collectionSlug: string
  id: DocumentId
  data: Record<string, unknown>
}

const copies = new WeakMap<Collection['config'], Collection>()

function unvalidated(collection: Collection): Collection {
  const known = copies.get(collection.config)
  if (known) return known
  const copy = { ...collection, config: withoutValidation(collection.config) }
  copies.set(collection.config, copy)
  return copy
}

/** A deep copy of whatever holds fields, without the `validate` of each. */
function withoutValidation<Holder extends object>(holder: Holder): Holder {
  const copy = { ...holder } as Record<string, unknown>
  delete copy.validate
  for (const key of ['fields', 'tabs', 'blocks']) {
    const children = copy[key]
    if (Array.isArray(children))
      copy[key] = children.map((child: object) => withoutValidation(child))
  }
  return copy as Holder
}
