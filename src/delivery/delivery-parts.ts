import type { MarketingPlatform } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { SettingsSource } from '../store/settings-source.js'
import type { CallLogStore } from './call-log.js'
import type { Clock } from './clock.js'
import type { Outbox } from './outbox.js'
import type { Worker } from './worker.js'

/** What the delivery is built of. */
export interface DeliveryParts {
  outbox: Outbox
  callLogs: CallLogStore
  platform: MarketingPlatform
  settings: Pick<SettingsSource, 'marketing'>
  log: Log
  clock: Clock
  /** What else is done again and again beside the sends: it makes some. Runs before the lanes. */
  makers?: readonly Worker[]
  /** From 0 up to 1. Default `Math.random`. */
  random?: () => number
  /** A signal that ends a call after so many milliseconds. Default `AbortSignal.timeout`. */
  deadline?: (ms: number) => AbortSignal
}
