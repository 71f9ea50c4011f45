import type { CollectionBeforeChangeHook } from 'payload'
import type { OptionsOf } from '../../core/options-schema.js'
import { isImport } from '../../shop/orders/status-history.js'
import type { FeedShop } from '../feeds/event-contexts.js'
import { importNote, pendingNote } from '../feeds/feed-notes.js'
import type { reviewOptions } from './review-options.js'
import type { Shop } from '../../core/shop.js'

export interface ReviewsGiven {
  marketing: OptionsOf<typeof reviewOptions>
}

export type Reviews = NonNullable<ReviewsGiven['marketing']['reviews']>

export type ReviewShop = FeedShop & Shop<ReviewsGiven>

/** The field of a review that says whether it is still to be sent. One from before the option has none: only a run of the history sends it. */
export const sentReviewField = 'sentReview'

/** Its author was erased, or their account deleted: nothing sends it. */
export const erasedNote = 'erased'

/** The note is in the same write as the review. */
export const rememberReview: CollectionBeforeChangeHook = ({ data, operation, req }) =>
  operation === 'create'
    ? { ...(data as object), [sentReviewField]: isImport(req) ? importNote : pendingNote }
    : (data as unknown)
