export type { ProblemCode } from './core/errors.js'
export type { AbandonedCartUrlOptions } from './carts/restore-link.js'
export type { Handle, HandleContext, Reply } from './core/http/reply.js'
export type { TrustProxy } from './core/http/client-ip.js'
export type { PageColors } from './core/http/page-colors.js'
export type {
  StoreAction,
  StoreActionContext,
  StoreActionHandler,
} from './core/http/define-action.js'
export type { LinkedProduct, ProductUrl, Site, SiteDocument } from './shop/sites/site.js'
export type {
  Address,
  LineItem,
  LineItemOption,
  MappedOrder,
  Order,
  OrderDocument,
} from './shop/orders/order.js'
export type { RefundedLine } from './shop/orders/refunds.js'
export type { DocumentId } from './core/database/document-id.js'
export type { CollectionSlugs, FieldNames, ProductFieldNames } from './core/shop-names.js'
export type { StoredAlertSettings } from './merchant/alerts/alert-settings.js'
export type { AlertOptions } from './merchant/alerts/alert-options.js'
export type { MarketingOptions, StoreConnectOptions } from './plugin/options.js'
export type { Recipient, ShipmentNotice } from './shipping/notice/notice-collection.js'
export type { PaymentOptions } from './shop/payments/payment-options.js'
export type { FinishedOrder } from './shop/payments/finish-step.js'
export type { OrderOptions } from './shop/orders/order-options.js'
export type { RenderRestorePage, RestoreOptions, RestorePage } from './carts/restore-options.js'
export type { ShippingOptions } from './shipping/shipping-options.js'
export type { UserDocument } from './core/http/visit.js'
export type { ConsentChange, ConsentHooks } from './marketing/consent/consent-options.js'
export type { MarketingEvent } from './marketing/klaviyo/message.js'
export type { MessageHooks } from './marketing/klaviyo/klaviyo-options.js'
export type {
  JsonValue,
  Profile,
  ProfileLocation,
  Properties,
} from './marketing/klaviyo/profile.js'
export type { CartSnapshot, OrderHooks, Subject } from './marketing/events/event-options.js'
export type { GivenCoupons, MadeCode } from './marketing/coupons/coupon-options.js'
export type { GivenReviews, Review, ReviewFieldNames } from './marketing/reviews/review-options.js'
export type { BuiltInEvent } from './marketing/events/event-table.js'
export type { StoredMarketingSettings } from './marketing/settings/marketing-settings.js'
export type { StatusEvent } from './marketing/settings/marketing-settings.js'
export type { StoredShippingSettings } from './shipping/shipping-settings.js'
export type { ErasedPerson, ErasureOptions } from './merchant/erasure/erasure-options.js'
