import type { BasePayload } from 'payload'
import type { DocumentId } from '../../commerce/order.js'

/**
 * The id that a text from outside stands for; undefined when no document of the collection can have
 * it, as PostgreSQL answers such a question with an error.
 */
export function readDocumentId(
  payload: BasePayload,
  slug: string,
  text: string,
): DocumentId | undefined {
  const idType = payload.collections[slug]?.customIDType ?? payload.db.defaultIDType
  if (idType === 'number') {
    const id = Number(text)
    return /^\d{1,10}$/.test(text) && id <= largestSerial ? id : undefined
  }
  const isUuid = 'idType' in payload.db && payload.db.idType === 'uuid'
  return !isUuid || uuid.test(text) ? text : undefined
}

/** PostgreSQL's `serial` is an `integer`. */
const largestSerial = 2_147_483_647

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
