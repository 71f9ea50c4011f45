import { sql } from 'drizzle-orm'
import { optionalColumn } from '../../core/database/database.js'
import { documentTables } from '../../core/database/document-tables.js'
import { defineParts, type ForgetPerson } from '../../core/feature.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { TrackingParts } from '../../shipping/tracking/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { erasedNote, sentReviewField, type ReviewShop } from './review-notes.js'
import { createRequestSources } from './review-requests.js'
import { createReviewSource } from './review-source.js'

export type ReviewsParts = ReturnType<typeof build>

function build(
  shop: ReviewShop,
  parts: FeedsParts & MarketingSettingsParts & WorkerParts & Partial<TrackingParts>,
) {
  const { reviews } = shop.options.marketing
  const { requestAfterDays = false } = reviews ?? {}
  const submitted = reviews && createReviewSource(shop, parts, reviews)
  const sources = [
    ...(submitted ? [submitted.source] : []),
    ...(requestAfterDays === false ? [] : createRequestSources(shop, parts, requestAfterDays)),
  ]
  const all = sources.map((source) => parts.feedOf(source))
  return {
    /** For the history; undefined where the store names no reviews. */
    pastReviews: submitted?.past,
    /** None where the store names no reviews. */
    reviewFeeds: {
      all,
      wake(): void {
        for (const feed of all) feed.wake()
        parts.delivery.wake()
      },
    },
  }
}

export const reviewsParts = defineParts({
  build,
  workers: (_shop: ReviewShop, { reviewFeeds }: ReviewsParts) => reviewFeeds.all,
  /** A review that still waits for its status is not sent when it gets one, nor by the history. */
  forgetPerson({ database, options }: ReviewShop): ForgetPerson {
    const { reviews } = options.marketing
    if (reviews === undefined) return () => []
    const { collection, fields } = reviews
    return (connection, { emails }) =>
      documentTables(database, collection).flatMap(({ table, prefix }) => {
        const email = optionalColumn(table, `${prefix}${fields.email}`)
        if (email === undefined) return []
        const isOne = database.isOneOf(sql`lower(${email})`, emails)
        return connection.update(table, { [`${prefix}${sentReviewField}`]: erasedNote }, isOne)
      })
  },
})
