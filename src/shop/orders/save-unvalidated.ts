import { updateByIDOperation, type PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'

/**
 * Saves a document as it is stored through Payload's own update operation, all its hooks included, but without
 * validation (`docs/interface.md` (Ship notice)). The operation takes the collection's config as an argument, so it
 * can be given a copy whose fields do not validate, and without versions: with them, Payload saves what a draft of
 * the document says in its place.
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
