import { ApiError, notFound } from './api-error.ts'
import type { Account } from './account.ts'
import type { Faults } from './faults.ts'
import type { ProfileInput } from './bodies.ts'
import type { ProfileBook } from './profile-book.ts'
import type { StoredList, StoredProfile } from './stored.ts'

/** One call whose key, headers and body are right. */
export interface Call {
  url: URL
  /** From the path. */
  id: string
  body: unknown
  receivedAt: number
}

export interface Answer {
  status: number
  document?: unknown
}

export interface AnswerParts {
  account: Account
  faults: Faults
  /** Does the work later, and in order. */
  later: (work: () => void, seconds: number) => void
  eventSeconds: number
  catalogSeconds: number
}

/** Taken, but not processed yet. */
export const accepted: Answer = { status: 202 }

export function listWithId(account: Account, id: string, pointer: string): StoredList {
  const list = account.lists.get(id)
  if (!list) throw notFound(`A list with id ${id} does not exist.`, pointer)
  return list
}

export function refuseUnknownId(
  book: ProfileBook,
  { id }: Pick<ProfileInput, 'id'>,
  pointer: string,
): void {
  if (typeof id === 'string' && id !== '' && !book.byId(id)) {
    throw notFound(`A profile with id ${id} does not exist.`, pointer)
  }
}

export const duplicateProfile = (other: StoredProfile): ApiError =>
  new ApiError(409, [
    {
      code: 'duplicate_profile',
      detail: 'A profile already exists with one of these identifiers.',
      pointer: '/data/attributes',
      meta: { duplicate_profile_id: other.id },
    },
  ])
