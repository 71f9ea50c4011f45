import type { BasePayload } from 'payload'

/** The database's id of a document: a number, or text where the store uses UUIDs. */
export type DocumentId = number | string

/** Undefined when no document can have that id, because PostgreSQL would answer its query with an error. */
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
