import { sql, type Column, type SQL } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import { optionalColumn, type Connection, type Statement } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { documentTables } from '../../core/database/document-tables.js'
import { runTogether } from '../../core/database/in-transaction.js'
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
    /** Call it before an account is deleted: an email that was typed beside it would pass for that of a guest. */
    endReviewsOf: (accountId: DocumentId, req: PayloadRequest): Promise<void> =>
      runTogether(shop.database, req, (connection) =>
        endReviews(shop, connection, {
          field: 'customer',
          isTheirs: (customer) => sql`${customer} = ${accountId}`,
        }),
      ),
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
  forgetPerson:
    (shop: ReviewShop): ForgetPerson =>
    (connection, { emails }) =>
      endReviews(shop, connection, {
        field: 'email',
        isTheirs: (email) => shop.database.isOneOf(sql`lower(${email})`, emails),
      }),
})

/** A review that still waits for its status is not sent when it gets one, nor by the history. */
function endReviews(
  { database, options }: ReviewShop,
  connection: Connection,
  { field, isTheirs }: { field: 'customer' | 'email'; isTheirs: (of: Column) => SQL },
): Statement[] {
  const { reviews } = options.marketing
  if (reviews === undefined) return []
  const { collection, fields } = reviews
  return documentTables(database, collection).flatMap(({ table, prefix }) => {
    const of = optionalColumn(table, `${prefix}${fields[field]}`)
    if (of === undefined) return []
    return connection.update(table, { [`${prefix}${sentReviewField}`]: erasedNote }, isTheirs(of))
  })
}
