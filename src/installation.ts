import type { BasePayload } from 'payload'
import type { Handle } from './actions/front-door.js'
import type { PreviewOrder } from './actions/order-export/preview-order.js'
import type { PreviewWindow } from './actions/order-export/preview-window.js'
import type { DeliveryLoop } from './delivery/delivery-loop.js'
import type { DeliveryStatus } from './delivery/drain.js'
import type { Outbox } from './delivery/outbox.js'
import type { Addressed } from './http/public-origin.js'
import type { RestoreLinks } from './http/restore-link.js'
import type { Sessions } from './http/session.js'
import type { KnownLists } from './marketing/known-lists.js'
import type { MarketingPlatform } from './marketing/platform.js'
import type { BrowserCarts } from './store/browser-carts.js'
import type { Carts } from './store/carts.js'
import type { CheckoutUrl } from './store/checkout-url.js'
import type { Histories } from './store/history.js'
import type { Overview } from './store/overview.js'
import type { SettingsSource } from './store/settings-source.js'
import type { Sites } from './store/sites.js'
import type { Visitor } from './store/visitor.js'

/** The parts of one Payload instance, as the mounts, the pages and the admin need them. */
export interface Installed {
  handle: Handle
  /** What is stored here is delivered. */
  outbox: Outbox
  platform: MarketingPlatform
  /** The lists at the platform. */
  knownLists: KnownLists
  delivery: DeliveryLoop
  /** Resolves when what this process has changed so far is stored to be sent. */
  told: () => Promise<void>
  deliveryStatus(): Promise<DeliveryStatus>
  /** Past orders that are sent. */
  histories: Histories
  settings: SettingsSource
  overview: Overview
  previewOrder: PreviewOrder
  previewWindow: PreviewWindow
  sites: Sites
  restoreLinks: RestoreLinks
  checkoutUrl: CheckoutUrl
  /** Undefined in a store without carts. */
  carts: Carts | undefined
  /** Undefined in a store without carts. */
  browserCarts: BrowserCarts | undefined
  sessions: Sessions
  visitorOf(request: Addressed): Promise<Visitor | undefined>
}

/**
 * Where a config keeps its parts. The mounts (`next/`, `node/`) find them there by the Payload
 * instance, whichever copy of this module the store's bundler gave them.
 */
export interface Installation {
  partsFor(payload: BasePayload): Installed
}

const key = 'storeconnect'

export const withInstallation = (
  custom: Record<string, unknown> | undefined,
  installation: Installation,
): Record<string, unknown> => ({ ...custom, [key]: installation })

/** The parts; undefined when the store's config has no enabled `storeConnect()` among its plugins. */
export const installedIn = (payload: BasePayload): Installed | undefined =>
  (payload.config.custom as Record<string, Installation | undefined>)[key]?.partsFor(payload)

/** @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins. */
export function partsOf(payload: BasePayload): Installed {
  const parts = installedIn(payload)
  if (parts === undefined) {
    throw new TypeError("Add storeConnect() to the plugins of this store's Payload config.")
  }
  return parts
}

/** @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins. */
export const handlerOf = (payload: BasePayload): Handle => partsOf(payload).handle
