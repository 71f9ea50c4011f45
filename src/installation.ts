import type { BasePayload, SanitizedConfig } from 'payload'
import { createClosedDoor } from './actions/closed-door.js'
import { webHandle, type FrontDoor, type Handle } from './actions/front-door.js'
import type { PreviewOrder } from './actions/order-export/preview-order.js'
import type { PreviewWindow } from './actions/order-export/preview-window.js'
import type { DeliveryLoop } from './delivery/delivery-loop.js'
import type { DeliveryStatus } from './delivery/deliverer.js'
import type { Outbox } from './delivery/outbox.js'
import { Problem } from './errors.js'
import type { Addressed } from './http/public-origin.js'
import type { RestoreLinks } from './http/restore-link.js'
import type { Sessions } from './http/session.js'
import type { KnownLists } from './marketing/known-lists.js'
import type { MarketingPlatform } from './marketing/platform.js'
import type { Feed } from './shop-events/feed.js'
import type { BrowserCarts } from './store/browser-carts.js'
import type { Carts } from './store/carts.js'
import type { CheckoutUrl } from './store/checkout-url.js'
import type { Histories } from './history/histories.js'
import type { Overview } from './store/overview.js'
import type { SettingsSource } from './store/settings-source.js'
import type { Sites } from './store/sites.js'
import type { Visitor } from './store/visitor.js'

/** The parts of one Payload instance, as the mounts, the pages and the admin need them. */
export interface Installed {
  handle: FrontDoor
  /** What is stored here is delivered. */
  outbox: Outbox
  platform: MarketingPlatform
  /** The lists at the platform. */
  knownLists: KnownLists
  delivery: DeliveryLoop
  /** What walks the shop's documents. The delivery runs them. */
  feeds: readonly Feed[]
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
  /** Why there are no parts on the store's database; undefined where there are. */
  refusalFor?(payload: BasePayload): string | undefined
}

export const pluginSlug = 'payload-storeconnect'

const key = 'storeconnect'

export const withInstallation = (
  custom: Record<string, unknown> | undefined,
  installation: Installation,
): Record<string, unknown> => ({ ...custom, [key]: installation })

type ConfigOf = Pick<BasePayload, 'config'>

const installationOf = ({ config }: ConfigOf): Installation | undefined =>
  (config.custom as Record<string, Installation | undefined>)[key]

/** Whether the store's config has `storeConnect({ enabled: false })` among its plugins. */
export const isSwitchedOff = (config: SanitizedConfig): boolean =>
  installationOf({ config }) === undefined &&
  (config.plugins ?? []).some(({ slug }) => slug === pluginSlug)

/** Why Storeconnect does not work on the store's database; undefined where it does. */
export const refusalOf = (payload: BasePayload): string | undefined =>
  installationOf(payload)?.refusalFor?.(payload)

/** The parts; undefined where `storeConnect()` is missing, switched off or on a database it refuses. */
export const installedIn = (payload: BasePayload): Installed | undefined =>
  refusalOf(payload) === undefined ? installationOf(payload)?.partsFor(payload) : undefined

/**
 * @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins.
 * @throws {Problem} DATABASE_NOT_SUPPORTED.
 */
export function partsOf(payload: BasePayload): Installed {
  const installation = installationOf(payload)
  if (installation === undefined) throw new TypeError(whyMissing(payload.config))
  return installation.partsFor(payload)
}

/** The parts for a page; undefined where Storeconnect is switched off or refuses the database. */
export const partsForPage = (payload: BasePayload): Installed | undefined =>
  isSwitchedOff(payload.config) || refusalOf(payload) !== undefined ? undefined : partsOf(payload)

/**
 * Answers the actions of a store. On a database that Storeconnect does not support, every answer is a
 * 503 that says so.
 *
 * @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins.
 */
export const handlerOf = (payload: BasePayload): Handle => webHandle(frontDoorOf(payload))

/** @throws as `handlerOf` does. */
export function frontDoorOf(payload: BasePayload): FrontDoor {
  const message = refusalOf(payload)
  return message === undefined
    ? partsOf(payload).handle
    : createClosedDoor(new Problem('DATABASE_NOT_SUPPORTED', { message }))
}

const whyMissing = (config: SanitizedConfig): string =>
  isSwitchedOff(config)
    ? 'Storeconnect is switched off in this store. Add storeConnect() to the plugins of its Payload config without `enabled: false`.'
    : "Add storeConnect() to the plugins of this store's Payload config."
