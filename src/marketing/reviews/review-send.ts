import type { DocumentId } from '../../core/database/document-id.js'
import { hashOf } from '../../core/signing.js'
import type { EventContext } from '../events/event-context.js'
import { eventSend } from '../events/event-sends.js'
import { reviewEvents } from '../events/event-table.js'
import { pictureUrl, plainText, presentValues } from '../events/property-values.js'
import { productProperties } from '../events/subject-properties.js'
import type { NewSend } from '../delivery/send.js'
import type { Profile } from '../klaviyo/profile.js'
import type { LineItem } from '../../shop/orders/order.js'
import type { Review } from './review-options.js'

/** What its event says of the product. */
export type ReviewedProduct = Pick<
  LineItem,
  'productId' | 'slug' | 'sku' | 'name' | 'imageUrl' | 'categories' | 'brand'
>

export interface SubmittedReview {
  /** Of the send: a repeated report has the same. */
  key: string
  id: DocumentId
  at: Date
  review: Review
  product: ReviewedProduct
  profile: Profile
}

const mostImages = 20

/**
 * Undefined when a hook keeps it back. The names of what is said of the review are those of Klaviyo's own metric
 * (https://help.klaviyo.com/hc/en-us/articles/16691649553179), so that its templates and flows find them.
 */
export function reviewSend(
  { key, id, at, review, product, profile }: SubmittedReview,
  context: EventContext,
): Promise<NewSend | undefined> {
  const { rating, title = '', text = '', name = '', status = '', isVerified } = review
  const about = { reviewId: id }
  const images = (review.images ?? [])
    .slice(0, mostImages)
    .map((image) => pictureUrl(image, context))
    .filter((url) => url !== '')
  const properties = presentValues({
    review_id: id,
    review_rating: rating,
    review_title: plainText(title),
    review_content: plainText(text),
    review_author: plainText(name),
    review_images: images,
    review_has_media: images.length > 0,
    review_status: plainText(status),
    review_verified: isVerified,
    ...productProperties({ ...product, unitPrice: Number.NaN }, { currency: '', about }, context),
    Categories: (product.categories ?? []).map(plainText),
    Brand: plainText(product.brand ?? ''),
  })
  const uniqueId = hashOf(['review', id, at.toISOString()])
  const { name: eventName } = reviewEvents.submittedReview
  return eventSend({ name: eventName, key, uniqueId, at, properties }, { profile, about }, context)
}
