import type { DocumentId } from '../commerce/order.js'
import type { DeliveryStatus } from '../delivery/deliverer.js'
import type { SendKind } from '../delivery/send.js'
import type { ShippingSettings } from '../settings/shipping-settings.js'
import type { FailedVisit, Pull } from './platform-visits.js'

/** What says whether ShipStation works: its settings as they are now, and its last requests. */
export interface ShippingFacts {
  settings: ShippingSettings
  settingsProblem: ShippingSettingsProblem | undefined
  /** When the settings were last saved; undefined when never. */
  settingsSavedAt: Date | undefined
  lastPull: Pull | undefined
  /** The last request of each kind that the shop could not answer. */
  failures: FailedVisit[]
  lastShipment: NotedShipment | undefined
  /** Orders that ShipStation does not get until the merchant mends them. */
  skipped: Counted
}

/** What in the settings makes requests of ShipStation fail, or loses tracking numbers. */
export type ShippingSettingsProblem =
  'store-field' | 'blank-name' | 'shipped-status' | 'tracking-field'

/** What says whether Klaviyo works: its key as it is now, and the last sends. */
export interface MarketingFacts extends DeliveryStatus {
  /** Of the key that is in use; undefined when it was never tested. */
  lastTest: ConnectionTest | undefined
  lastSentAt: Date | undefined
  /** One for each kind, in the order of delivery. */
  waiting: WaitingSends[]
  /** The most frequent reason first. */
  failed: FailedReason[]
}

export interface PlatformFacts {
  shipping: ShippingFacts
  marketing: MarketingFacts
}

/** What the merchant's page shows besides. */
export interface OverviewDetails {
  /** The hours of the last day, the oldest first; the last one is not over. */
  hours: SentHour[]
  /** The newest of all skipped orders, those that nobody means to ship among them. */
  newestSkipped: NotedOmission[]
}

export interface Counted {
  count: number
  /** When the newest came about; undefined when there is none. */
  newestAt: Date | undefined
}

/** A field that products lack, by the translation of what it is for, and where it is looked for. */
export interface MissingProductField {
  part: 'itemName' | 'sku' | 'weight' | 'imageUrl'
  path: string
}

export interface ConnectionTest {
  at: Date
  /** Why Klaviyo refused it. */
  refusal?: string
  missingScopes: string[]
}

export interface NotedShipment {
  at: Date
  reference: string
  carrier: string
}

export interface WaitingSends {
  kind: SendKind
  /** Sends that wait or are on their way, counted up to `countedAtMost`. */
  count: number
  /** When the first of them is to be tried; undefined when none has a moment. */
  nextAt: Date | undefined
}

export interface FailedReason {
  /** The error's code. */
  code: string
  count: number
  /** What the platform said of the newest of them. */
  detail: string
  /** When the newest of them was accepted. */
  newestAt: Date | undefined
}

export interface SentHour {
  from: Date
  count: number
}

export interface NotedOmission {
  orderId: DocumentId | undefined
  reference: string
  reasons: string
}

/**
 * The numbers of the merchant's page. They come from indexes, never from walking over all sends; only
 * those that failed, of which a merchant is to leave none, are all counted.
 */
export interface Overview {
  /** What exported lines lack, whatever a product's editor types. */
  missingProductFields: readonly MissingProductField[]
  facts(): Promise<PlatformFacts>
  details(): Promise<OverviewDetails>
  /**
   * Puts the failed sends of an error's code back into the queue, up to `resentAtMost` of them, the
   * oldest first. Resolves to how many.
   */
  resend(code: string): Promise<number>
}

/** Beyond, the exact number tells a merchant nothing and costs the database more. */
export const countedAtMost = 10_000

/** So many at once; more need another click. */
export const resentAtMost = 50_000
