import type { DocumentId } from '../../core/database/document-id.js'
import { hashOf } from '../../core/signing.js'
import type { EventContext } from '../events/event-context.js'
import { withPrefix } from '../events/event-sends.js'
import { reviewEvents } from '../events/event-table.js'
import { requestIds } from '../events/order-ids.js'
import { pictureUrl, plainText, presentValues } from '../events/property-values.js'
import { productProperties } from '../events/subject-properties.js'
import type { MarketingEvent } from '../klaviyo/message.js'
import type { Properties } from '../klaviyo/profile.js'
import type { LineItem, Order } from '../../shop/orders/order.js'
import type { Review } from './review-options.js'

/** What its event says of the product. */
export type ReviewedProduct = Pick<
  LineItem,
  'productId' | 'slug' | 'sku' | 'name' | 'imageUrl' | 'categories' | 'brand'
>

const mostImages = 20

/**
 * The names of what is said of the review are those of Klaviyo's own metric
 * (https://help.klaviyo.com/hc/en-us/articles/16691649553179), so that its templates and flows find them.
 */
export function submittedReview(
  {
    id,
    at,
    review,
    product,
  }: { id: DocumentId; at: Date; review: Review; product: ReviewedProduct },
  context: EventContext,
): MarketingEvent {
  const { rating, title = '', text = '', name = '', status = '', isVerified } = review
  const images = (review.images ?? [])
    .slice(0, mostImages)
    .map((image) => pictureUrl(image, context))
    .filter((url) => url !== '')
  return {
    name: withPrefix(reviewEvents.submittedReview.name, context),
    uniqueId: hashOf(['review', id]),
    time: at.toISOString(),
    properties: presentValues({
      review_id: id,
      review_rating: rating,
      review_title: plainText(title),
      review_content: plainText(text),
      review_author: plainText(name),
      review_images: images,
      review_has_media: images.length > 0,
      review_status: plainText(status),
      review_verified: isVerified,
      ...productProperties(
        { ...product, unitPrice: Number.NaN },
        { currency: '', about: { reviewId: id } },
        context,
      ),
      Categories: (product.categories ?? []).map(plainText),
      Brand: plainText(product.brand ?? ''),
    }),
  }
}

export const readyToReview = (
  { order, at, properties }: { order: Order; at: Date; properties: Properties },
  context: EventContext,
): MarketingEvent => ({
  name: withPrefix(reviewEvents.readyToReview.name, context),
  uniqueId: requestIds(order).uniqueId,
  time: at.toISOString(),
  properties,
})
