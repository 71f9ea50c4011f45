import type { PauseReason } from '../delivery/call-log.js'
import type { DeliveryStatus } from '../delivery/deliverer.js'
import { en } from '../translations/en.js'

const pauseWords: Readonly<Record<PauseReason, string>> = {
  misconfigured: en.deliveryPaused,
  outage: en.overviewOutage,
  'rate-limited': 'Klaviyo takes no more events at the moment.',
}

/** Why events wait; undefined when nothing keeps them. */
export function unsentReason({ keyProblem, pauses }: DeliveryStatus): string | undefined {
  if (keyProblem === 'unreadable') return en.apiKeyUnreadable
  if (keyProblem !== undefined) return en.apiKeyMissing
  const pause = pauses.find(({ call }) => call === 'event' || call === 'events')
  return pause && pauseWords[pause.reason]
}
