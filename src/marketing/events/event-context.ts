import type { Log } from '../../core/database/log.js'
import type { MessageHooks } from '../klaviyo/klaviyo-options.js'
import type { EventMessage } from '../klaviyo/message.js'
import type { ProductUrl, Site } from '../../shop/sites/site.js'
import type { BuiltInEvent } from './event-table.js'
import type { OrderHooks } from './event-options.js'

/** What the events of an order or cart depend on, besides the order or cart itself. */
export interface EventContext {
  /** A text before every event's name, separated by one space. */
  eventPrefix: string
  builtInEvents: Readonly<Record<BuiltInEvent, boolean>>
  /** The event names that the settings give to statuses. */
  statusEvents: readonly { status: string; event: string }[]
  hooks: MessageHooks & OrderHooks
  productUrl: ProductUrl
  site: Site | undefined
  /** Completes paths: the site's base URL; in a store without sites, its `serverURL`. */
  baseUrl: string
  /** The link that restores the cart; undefined for orders. */
  checkoutUrl: string | undefined
  /** Changes each message before the store's hooks see it. Default: no change. */
  mark?: (message: EventMessage) => EventMessage
  now: Date
  log: Log
}
