import type { ProductUrl } from '../commerce/product-url.js'
import type { Site } from '../commerce/site.js'
import type { EventMessage } from '../marketing/message.js'
import type { MessageHooks } from '../marketing/message-hooks.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Log } from '../store/log.js'
import type { OrderHooks } from './order-hooks.js'

/** What says how an order or a cart is told. */
export interface EventContext extends Pick<
  MarketingSettings,
  'eventPrefix' | 'builtInEvents' | 'statusEvents'
> {
  /** The order's site: its base URL stands before paths. */
  site: Site | undefined
  productUrl: ProductUrl
  /** The link that brings the cart back; for cart events. */
  checkoutUrl?: string
  /** What each message is made before the store's hooks see it. Absent: it stays as it is. */
  mark?: (message: EventMessage) => EventMessage
  hooks: MessageHooks & OrderHooks
  /** When it is told. */
  now: Date
  log: Log
}
