import { updateByIDOperation, type PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'

/**
 * Saves a document with all its hooks, but without validation (`docs/interface.md` (Ship notice)): Payload's operation
 * gets a config whose fields do not validate. It has no versions either, as Payload would save a newer draft.
 */
export async function saveUnvalidated(
  {
    collectionSlug,
    id,
    data,
  }: { collectionSlug: string; id: DocumentId; data: Record<string, unknown> },
  req: PayloadRequest,
): Promise<void> {
  const collection = req.payload.collections[collectionSlug]
  if (collection === undefined) throw new TypeError(`There is no collection "${collectionSlug}".`)
  const config = withoutValidation(collection.config)
  delete config.versions
  await updateByIDOperation({
    collection: { ...collection, config },
    id,
    data,
    depth: 0,
    overrideAccess: true,
    overrideLock: true,
    req,
  })
}

/** A deep copy of an object that has fields, without their `validate` functions. */
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
