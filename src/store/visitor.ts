import type { DocumentId } from '../commerce/order.js'
import type { Profile } from '../marketing/profile.js'

/** A logged-in user. */
export interface Visitor {
  id: DocumentId
  /** Slug of the users' collection. */
  collection: string
  /**
   * What the marketing platform may be told of the account: by the option `mapUser`, whose failure is
   * logged and leaves nothing to tell.
   */
  profile(): Promise<Profile>
  /** The user's document. */
  document: Record<string, unknown>
}
