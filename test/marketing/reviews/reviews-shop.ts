import type { CollectionConfig } from 'payload'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { openOwnStore } from '../../support/store.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { trackingShop } from '../../shipping/tracking/tracking-shop.js'
import { eventShop } from '../feeds/event-shop.js'

type MarketingOptions = Exclude<StoreConnectOptions['marketing'], false>
type GivenReviews = NonNullable<NonNullable<MarketingOptions>['reviews']>

const pictures: CollectionConfig = {
  slug: 'pictures',
  upload: { disableLocalStorage: true },
  fields: [],
}

/** With the names that the option has by default. */
const reviews: CollectionConfig = {
  slug: 'reviews',
  trash: true,
  fields: [
    { name: 'customer', type: 'relationship', relationTo: 'users' },
    { name: 'email', type: 'email' },
    { name: 'name', type: 'text' },
    { name: 'product', type: 'relationship', relationTo: 'products' },
    { name: 'rating', type: 'number' },
    { name: 'title', type: 'text' },
    { name: 'text', type: 'textarea' },
    { name: 'images', type: 'upload', relationTo: 'pictures', hasMany: true },
    { name: 'status', type: 'select', options: ['pending', 'approved'] },
    { name: 'verified', type: 'checkbox' },
  ],
}

const base = {
  cleared: ['reviews' as never],
  config: { serverURL: 'https://shop.example' },
  userAuth: { verify: true },
}

export const reviewsShop = (kind: DatabaseKind, given: Partial<GivenReviews> = {}) =>
  eventShop(kind, {
    ...base,
    collections: [pictures, reviews],
    open: openOwnStore,
    options: { marketing: { reviews: { collection: 'reviews', ...given } } },
  })

/** ShipStation tells where parcels are. */
export const trackedReviewsShop = (kind: DatabaseKind) =>
  trackingShop(kind, {
    collections: [pictures, reviews],
    open: openOwnStore,
    options: { marketing: { reviews: { collection: 'reviews' } } },
  })
