import type { ConnectionTest } from '../klaviyo/connection-test.js'
import type { DeliveryStatus } from './klaviyo-sessions.js'

/**
 * The pause because Klaviyo refuses the key. Undefined when there is none, or when the key was tested after
 * Klaviyo last refused it: then the test says what is wrong, if anything is.
 */
export function keyRefusal({
  pauses,
  lastTest,
}: Pick<DeliveryStatus, 'pauses'> & { lastTest: Pick<ConnectionTest, 'at'> | undefined }) {
  const refusal = pauses.find(({ reason }) => reason === 'misconfigured')
  const isTestNewer = refusal !== undefined && lastTest !== undefined && lastTest.at > refusal.at
  return isTestNewer ? undefined : refusal
}
