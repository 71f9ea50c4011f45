import type { ConnectionTest } from '../klaviyo/connection-test.js'
import type { DeliveryStatus } from './deliverer.js'

/** The pause of a key that the platform refuses; undefined when a newer test shows otherwise. */
export function refusedPause({
  pauses,
  lastTest,
}: Pick<DeliveryStatus, 'pauses'> & { lastTest: Pick<ConnectionTest, 'at'> | undefined }) {
  const refused = pauses.find(({ reason }) => reason === 'misconfigured')
  if (refused === undefined) return undefined
  return lastTest !== undefined && lastTest.at > refused.at ? undefined : refused
}
