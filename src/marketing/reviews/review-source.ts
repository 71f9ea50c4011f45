import { sql } from 'drizzle-orm'
import { createLocalReq } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { column } from '../../core/database/database.js'
import { idOf, textOrNumber, valueAt } from '../../core/payload/document-value.js'
import { snapshotLines } from '../../shop/orders/line-snapshot.js'
import { profileOf, type Person } from '../events/person.js'
import type { NewSend } from '../delivery/send.js'
import type { EventContext } from '../events/event-context.js'
import { changedRows, dayMs, type Range, type Report, type Source } from '../feeds/feed.js'
import { pendingNote } from '../feeds/feed-notes.js'
import type { FeedsParts } from '../feeds/parts.js'
import { nothing, reportEach, type Made } from '../feeds/report-each.js'
import { wordsOf } from '../product-feed/public-products.js'
import { reviewSend, type ReviewedProduct } from './review-send.js'
import type { Review } from './review-options.js'
import { erasedNote, sentReviewField, type ReviewShop, type Reviews } from './review-notes.js'

type Document = Record<string, unknown> & { id: DocumentId }

/** Reports each review once, as soon as it is no draft and has a status that the store names. */
export function createReviewSource(
  shop: ReviewShop,
  { contextOf, accountEmails }: FeedsParts,
  { collection: slug, fields, statuses, map }: Reviews,
): { source: Source; past: PastReviews } {
  const { payload, options, database } = shop
  const table = database.table(slug)
  const note = column(table, sentReviewField)
  const rows = {
    table,
    at: column(table, 'updatedAt'),
    condition: sql`${note} = ${pendingNote}`,
  }

  async function productOf(productId: DocumentId | undefined): Promise<ReviewedProduct> {
    const req = await createLocalReq({}, payload)
    const of = { currency: '', slug: options.collections.orders, names: options, req }
    const [line = {}] = await snapshotLines([{ product: productId }], of)
    const text = (name: string) => textOrNumber(line[name])
    return {
      ...(productId !== undefined && { productId }),
      slug: text('slug'),
      sku: text('sku'),
      name: text('name'),
      imageUrl: text('imageUrl'),
      brand: text('brand'),
      categories: [line.categories].flat().filter((each) => typeof each === 'string'),
    }
  }

  /** An account that is no customer's, or not verified, hides the email that somebody typed beside it. */
  async function personOf({ customerId, email }: Review): Promise<Person | undefined> {
    if (customerId === undefined) return email === undefined ? undefined : { email }
    const account = (await accountEmails([customerId])).get(customerId)
    return account && { email: account.email, ...(account.isNamed && { customerId }) }
  }

  async function make(document: Document, mark?: Mark): Promise<Made> {
    const req = await createLocalReq({}, payload)
    const mapped = await map?.(structuredClone(document), { req })
    if (mapped === false || document._status === 'draft') return nothing
    const review = { ...readReview(document, fields), ...mapped }
    if (statuses && !statuses.includes(review.status ?? '')) return nothing
    const person = await personOf(review)
    const profile = person && profileOf(person)
    if (profile === undefined) return nothing
    const siteId = idOf(valueAt(document, options.fields.site))
    const context = { ...(await contextOf({ siteId })), ...(mark && { mark }) }
    if (!context.builtInEvents.submittedReview) return { sends: [], state: offNote }
    const { id, createdAt } = document
    const at = new Date(String(createdAt))
    // SQLite gives the id of a deleted review to the next one.
    const key = `review:${slug}:${id}:${at.toISOString()}`
    const product = await productOf(review.productId)
    const send = await reviewSend({ key, id, at, review, product, profile }, context)
    if (send === undefined) return nothing
    return { sends: [send], account: review.customerId, state: sentNote }
  }

  async function reportOf(
    { ids, mark }: { ids: readonly DocumentId[]; mark?: Mark },
    isUnchanged: Range['isUnchanged'] = () => true,
  ): Promise<Report> {
    const { docs } = await payload.find({
      collection: slug,
      where: { id: { in: [...ids] } },
      depth: 1,
      pagination: false,
      joins: false,
    })
    const found = (docs as Document[]).filter(({ id, updatedAt }) =>
      isUnchanged(id, new Date(String(updatedAt))),
    )
    return reportEach(shop, found, {
      make: (document) => make(document, mark),
      about: ({ id }) => ({ reviewId: id }),
      sentence: 'The event of a review failed',
      noteIn: { slug, field: sentReviewField },
    })
  }

  const source: Source = {
    name: 'reviews',
    quietMs: 0,
    firstBackMs: dayMs,
    changedAfter: (from, range) => changedRows(database, rows, { from, ...range }),
    report: (ids, { isUnchanged }) => reportOf({ ids }, isUnchanged),
  }
  const past: PastReviews = {
    rows: {
      table,
      at: column(table, 'createdAt'),
      condition: sql`coalesce(${note}, '') not in (${pendingNote}, ${erasedNote})`,
    },
    sends: async (ids, mark) => (await reportOf({ ids, mark })).sends,
  }
  return { source, past }
}

/** Reviews that the feed does not send: those from before the option, of imports, and what was sent. */
export interface PastReviews {
  rows: Parameters<typeof changedRows>[1]
  sends: (ids: readonly DocumentId[], mark: Mark) => Promise<readonly NewSend[]>
}

type Mark = NonNullable<EventContext['mark']>

const sentNote = 'sent'

/** It was to be sent when the event was switched off. */
const offNote = 'off'

function readReview(document: Document, names: Reviews['fields']): Review {
  const at = (name: keyof typeof names) => valueAt(document, names[name])
  const text = (name: keyof typeof names) => textOrNumber(at(name))
  const rating = text('rating').trim()
  return {
    customerId: idOf(at('customer')),
    email: text('email'),
    productId: idOf(at('product')),
    name: text('name'),
    ...(rating !== '' && Number.isFinite(Number(rating)) && { rating: Number(rating) }),
    title: text('title'),
    text: wordsOf(at('text')),
    images: [at('images')].flat().flatMap(picturesOf),
    status: text('status'),
    ...(typeof at('verified') === 'boolean' && { isVerified: at('verified') === true }),
  }
}

/** A URL, an upload, or a row that has one of them. */
function picturesOf(image: unknown): string[] {
  if (typeof image === 'string') return [image]
  if (typeof image !== 'object' || image === null) return []
  const url = valueAt(image, 'url')
  if (typeof url === 'string') return [url]
  return Object.values(image).flatMap((value) => {
    const within = valueAt(value, 'url')
    return typeof within === 'string' ? [within] : []
  })
}
