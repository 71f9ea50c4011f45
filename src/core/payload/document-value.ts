import type { BasePayload } from 'payload'
import type { DocumentId } from '../database/document-id.js'

/**
 * Whether somebody can log in to the account: it exists, it is verified where the collection asks for
 * that, and it has a password or the collection has a login strategy of its own. A locked account
 * counts as able to log in, because anybody can lock it with wrong passwords (`docs/interface.md`
 * (Cart restore)).
 */
export async function isAbleToLogIn(
  payload: BasePayload,
  account: { collection: string; id: DocumentId },
): Promise<boolean> {
  const auth = payload.collections[account.collection]?.config.auth
  if (auth === undefined) return false
  const hasOwnStrategy = auth.strategies.length > 0
  if (auth.disableLocalStrategy && !hasOwnStrategy) return false
  // This reads from the database adapter, because `payload.find` hides these fields.
  const user = await payload.db.findOne({
    collection: account.collection,
    where: { id: { equals: account.id } },
  })
  if (user === null || valueAt(user, 'deletedAt') !== undefined) return false
  if (!hasOwnStrategy && !valueAt(user, 'hash')) return false
  return isVerified(payload, account.collection, user)
}

/** Whether the account's email is verified. True where the collection does not ask for that. */
export const isVerified = (payload: BasePayload, collection: string, account: unknown): boolean =>
  !payload.collections[collection]?.config.auth?.verify || valueAt(account, '_verified') === true

/** Reads the value at a path such as `meta.image`, through groups and populated documents. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? undefined
}

/** The names of what a field holds: of documents their title or name; texts and options of a select as they are. */
export const titlesOf = (value: unknown): string[] =>
  [value].flat().flatMap((each) => {
    const title =
      typeof each === 'object' ? (valueAt(each, 'title') ?? valueAt(each, 'name')) : each
    return typeof title === 'string' && title.trim() !== '' ? [title] : []
  })

/** A text; undefined for a blank one and for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A text or a number as a text; blank for any other value. */
export const textOrNumber = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Sets the value at a path such as `details.reference`, and makes the groups that are missing. */
export function setAt(document: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? path
  let place = document
  for (const name of names) {
    const next = place[name]
    const isGroup = typeof next === 'object' && next !== null
    place = (place[name] = isGroup ? next : {}) as Record<string, unknown>
  }
  place[last] = value
}

/** The id of a related document, whether it is populated or not. */
export function idOf(related: unknown): DocumentId | undefined {
  const id = typeof related === 'object' && related !== null ? valueAt(related, 'id') : related
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
