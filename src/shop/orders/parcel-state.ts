import type { TranslationKey } from '../../core/translations/translation.js'

/** What a carrier says of a parcel. Of two that it says of one moment, the later one in this list counts. */
export const parcelStateTexts = {
  accepted: 'parcelAccepted',
  'in-transit': 'parcelInTransit',
  delayed: 'parcelDelayed',
  attempted: 'parcelAttempted',
  'out-for-delivery': 'parcelOutForDelivery',
  'ready-for-pickup': 'parcelReadyForPickup',
  returning: 'parcelReturning',
  lost: 'parcelLost',
  cancelled: 'parcelCancelled',
  delivered: 'parcelDelivered',
} as const satisfies Record<string, TranslationKey>

export type ParcelState = keyof typeof parcelStateTexts

export const parcelStates = Object.keys(parcelStateTexts) as ParcelState[]

/** A state that a parcel has been in. It has each once. */
export interface StateOfParcel {
  state: ParcelState
  /** When it was in that state for the first time, as the carrier says. */
  at: Date
  /** When the shop learned of it first. */
  receivedAt: Date
  /** Whether nobody was to hear of it then. */
  isOff: boolean
}
