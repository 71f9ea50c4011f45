export { klaviyoListField, klaviyoListsField, storeConnect } from './plugin.js'
export { checkoutUrl } from './checkout-url.js'
export { handlerOf } from './installation.js'
export { Problem, problems, type ProblemCode } from './errors.js'
export type { Handle, HandleContext } from './actions/front-door.js'
export type { Reply } from './http/reply.js'
export type { TrustProxy } from './http/client-ip.js'
export { defineAction } from './options/store-action.js'
export type { StoreAction, StoreActionContext, StoreActionHandler } from './options/store-action.js'
export type { Address } from './commerce/address.js'
export type { Site } from './commerce/site.js'
export type { DocumentId, LineItem, LineItemOption, Order } from './commerce/order.js'
export type { LinkedProduct, ProductUrl } from './commerce/product-url.js'
export type {
  CollectionSlugs,
  FieldNames,
  MarketingOptions,
  OrderDocument,
  ProductFieldNames,
  RenderRestorePage,
  RestoreOptions,
  RestorePage,
  ShippingOptions,
  SiteDocument,
  StoreConnectOptions,
  UserDocument,
} from './options/options.js'
export type { MarketingEvent } from './marketing/message.js'
export type { MessageHooks } from './marketing/message-hooks.js'
export type { JsonValue, Profile, ProfileLocation, Properties } from './marketing/profile.js'
export type { CartSnapshot, OrderHooks, Subject } from './shop-events/order-hooks.js'
export type {
  BuiltInEvent,
  StatusEvent,
  StoredMarketingSettings,
} from './settings/marketing-settings.js'
export type { StoredShippingSettings } from './settings/shipping-settings.js'
