export { storeConnect } from './plugin.js'
export { handlerOf } from './installation.js'
export { Problem, problems, type ProblemCode } from './errors.js'
export type { Handle, HandleContext } from './actions/front-door.js'
export type { Address } from './commerce/address.js'
export type { DocumentId, LineItem, LineItemOption, Order } from './commerce/order.js'
export type {
  CollectionSlugs,
  FieldNames,
  OrderDocument,
  ProductFieldNames,
  ShippingOptions,
  StoreConnectOptions,
} from './options/options.js'
export type { StoredShippingSettings } from './settings/shipping-settings.js'
