import type { DeliveryStatus } from '../../delivery/drain.js'
import type { ProblemCode } from '../../errors.js'
import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { OverviewReading } from '../../store/overview.js'
import type { TranslationKey } from '../../store/payload/label.js'

/** How a platform is connected, in one word and one colour. */
export interface ConnectionState {
  is: 'success' | 'warning' | 'error' | 'light-gray'
  word: TranslationKey
  /** What to do about it; undefined when there is nothing to do. */
  advice: TranslationKey | undefined
}

/** What says how ShipStation is connected. */
export type ShippingReading = Pick<OverviewReading, 'lastPull' | 'lastFailure' | 'lastShipment'>

/** ShipStation comes several times a day where orders are imported by themselves. */
const quietAfterMs = 24 * 3_600_000

export function shippingState(
  {
    credentials,
    isPasswordUnreadable,
  }: Pick<ShippingSettings, 'credentials' | 'isPasswordUnreadable'>,
  { lastPull, lastFailure, lastShipment }: ShippingReading,
  now: Date,
): ConnectionState {
  if (isPasswordUnreadable) {
    return { is: 'error', word: 'overviewNotSetUp', advice: 'passwordUnreadable' }
  }
  if (credentials.username === '' || credentials.password === '') {
    return { is: 'error', word: 'overviewNotSetUp', advice: 'credentialsMissing' }
  }
  const wentWellAt = lastFailure?.action === 'export' ? lastPull?.at : lastShipment?.at
  if (lastFailure !== undefined && (wentWellAt === undefined || wentWellAt < lastFailure.at)) {
    return { is: 'error', word: 'overviewFailing', advice: failureAdvice(lastFailure.code) }
  }
  if (lastPull === undefined) {
    return { is: 'light-gray', word: 'overviewReady', advice: 'overviewNeverPulled' }
  }
  return now.getTime() - lastPull.at.getTime() > quietAfterMs
    ? { is: 'warning', word: 'overviewQuiet', advice: 'overviewQuietAdvice' }
    : { is: 'success', word: 'overviewConnected', advice: undefined }
}

export function marketingState(
  { keyProblem, pauses }: DeliveryStatus,
  lastSentAt: Date | undefined,
): ConnectionState {
  const isPaused = (reason: string) => pauses.some((pause) => pause.reason === reason)
  if (keyProblem !== undefined) {
    return { is: 'error', word: 'overviewNotSetUp', advice: keyAdvice[keyProblem] }
  }
  if (isPaused('misconfigured')) {
    return { is: 'error', word: 'overviewRefused', advice: 'deliveryPaused' }
  }
  if (isPaused('outage')) {
    return { is: 'warning', word: 'overviewPaused', advice: 'overviewOutage' }
  }
  return lastSentAt === undefined
    ? { is: 'light-gray', word: 'overviewReady', advice: 'overviewNeverSent' }
    : { is: 'success', word: 'overviewConnected', advice: undefined }
}

const keyAdvice = {
  missing: 'apiKeyMissing',
  'variable-missing': 'overviewKeyVariable',
  unreadable: 'apiKeyUnreadable',
} as const

function failureAdvice(code: ProblemCode): TranslationKey {
  if (code === 'SETTING_BLANK') return 'overviewSettingBlank'
  if (code === 'STATUS_NOT_FOUND') return 'overviewStatusNotFound'
  return code === 'ORDER_NOT_VALID' ? 'overviewOrderNotValid' : 'overviewFailureUnknown'
}
