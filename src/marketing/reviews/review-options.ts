import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { DocumentId } from '../../core/database/document-id.js'
import { callback, schemaOf } from '../../core/options-schema.js'
import { namesLike, ownNames } from '../../shop/orders/order-options.js'

/** Names of the fields of a store's reviews. A dot leads into a group or a named tab. */
export interface ReviewFieldNames {
  /** The customer who wrote it: a relationship to the customers of your orders. Default `customer`. */
  customer: string
  /** The email of an author without an account. Default `email`. */
  email: string
  /** What the author is called. Default `name`. */
  name: string
  /** A relationship to your products. Default `product`. */
  product: string
  /** A number, or a text or choice that is one. Default `rating`. */
  rating: string
  /** Default `title`. */
  title: string
  /** A text or rich text. Default `text`. */
  text: string
  /** Uploads, a list of rows with an upload each, or URLs. Default `images`. */
  images: string
  /** Such as `pending` or `approved`. Default `status`. */
  status: string
  /** A checkbox: whether the author bought the product. Default `verified`. */
  verified: string
}

/** A review as its event describes it. */
export interface Review {
  customerId?: DocumentId | undefined
  /** Counts where there is no `customerId`. */
  email?: string | undefined
  productId?: DocumentId | undefined
  name?: string | undefined
  rating?: number | undefined
  title?: string | undefined
  text?: string | undefined
  /** URLs; a path is on the shop's own. */
  images?: readonly string[] | undefined
  status?: string | undefined
  isVerified?: boolean | undefined
}

export interface GivenReviews {
  /** The slug of your collection of reviews. */
  collection: string
  /**
   * The names of its fields. A default name is left out where there is no such field, or one of another type. Each is a
   * field that the review has itself: `map` reads what is elsewhere.
   */
  fields?: Partial<ReviewFieldNames>
  /**
   * A review is sent once it has one of these statuses, in `fields.status`, such as `['approved']`. Default: as soon
   * as it is submitted, whatever its status. A draft is never sent.
   */
  statuses?: readonly string[]
  /**
   * Says what fields cannot: returns values in place of those that were read, or `false` for a review that is not to be
   * sent as it is now. It is asked again when the review changes. When it throws, that is logged and tried again for a
   * day. The document is populated one level deep.
   *
   * @example
   * map: ({ stars, order }) => ({ rating: Number(stars) / 2, isVerified: order !== null })
   */
  map?: (
    document: Readonly<Record<string, unknown>>,
    context: { req: PayloadRequest },
  ) => Review | false | Promise<Review | false>
  /**
   * How many days after its parcels were delivered an order is Ready to Review, 0 to 90. Where nobody tracks them: after
   * it was shipped. `false`: that is never sent. Default 7.
   */
  requestAfterDays?: number | false
}

export interface ReviewOptions {
  /** Tells Klaviyo of the reviews in a collection of yours (`docs/options.md`). Default: it hears of none. */
  reviews?: GivenReviews
}

export const defaultReviewFields: ReviewFieldNames = ownNames(
  ...(['customer', 'email', 'name', 'product', 'rating'] as const),
  ...(['title', 'text', 'images', 'status', 'verified'] as const),
)

const name = z.string().check(z.minLength(1))

export const reviewOptions = schemaOf<ReviewOptions>()(
  z.strictObject({
    reviews: z.optional(
      z.strictObject({
        collection: name,
        fields: z.prefault(z.strictObject(namesLike(defaultReviewFields)), {}),
        statuses: z.optional(z.readonly(z.array(name).check(z.minLength(1)))),
        map: z.optional(callback<GivenReviews['map']>()),
        requestAfterDays: z._default(
          z.union([z.int().check(z.minimum(0), z.maximum(90)), z.literal(false)]),
          7,
        ),
      }),
    ),
  }),
)
