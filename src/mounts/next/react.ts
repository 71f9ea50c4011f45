'use client'

export { BrowserCart, type BrowserCartProps } from './browser-cart.js'
export { EcommerceProvider, type EcommerceProviderProps } from './ecommerce-provider.js'
export {
  KlaviyoOnsite,
  ViewedProduct,
  type KlaviyoOnsiteProps,
  type ViewedProductProps,
} from './klaviyo-onsite.js'
export { trackAddedToCart, type AddedItem } from './onsite-tracking.js'
export { FlashNotices, type FlashNoticesProps } from './flash-notices.js'
export { SessionCart, type SessionCartProps } from './browser-cart.js'
