import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { addFields } from '../../core/payload/field-search.js'
import { ownNote } from '../../shop/orders/order-fields.js'
import { wakeFeed } from '../feeds/feed-hooks.js'
import { checkReviewFields } from './review-fields.js'
import { rememberReview, sentReviewField, type ReviewsGiven } from './review-notes.js'
import { reviewOptions } from './review-options.js'
import type { ReviewsParts } from './parts.js'

type Store = StoreConfig<ReviewsGiven, ReviewsParts>

/** What customers say of products, in a collection of the store's own. */
export const reviewsFeature = defineFeature({
  options: { marketing: reviewOptions },
  fields(store: Store) {
    const { reviews } = store.options.marketing
    if (reviews === undefined) return {}
    checkReviewFields(store, reviews)
    return {
      [reviews.collection]: (collection) => ({
        ...collection,
        fields: addFields(collection.fields, [{ ...ownNote, name: sentReviewField, type: 'text' }]),
      }),
    }
  },
  hooks({ options, customersSlug, partsOf }: Store) {
    const { reviews } = options.marketing
    if (reviews === undefined) return {}
    const feedOf = async (payload: Parameters<typeof partsOf>[0]) =>
      (await partsOf(payload)).reviewFeeds
    return {
      [reviews.collection]: (collection) =>
        withHooks(collection, { beforeChange: [rememberReview], afterChange: [wakeFeed(feedOf)] }),
      ...(customersSlug !== undefined && {
        [customersSlug]: (customers) =>
          withHooks(customers, {
            beforeDelete: [
              async ({ id, req }) => (await partsOf(req.payload)).endReviewsOf(id, req),
            ],
          }),
      }),
    }
  },
  parts: async () => (await import('./parts.js')).reviewsParts,
})
