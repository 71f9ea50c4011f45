import type { SubscribeMessage } from '../marketing/message.js'
import { mergeProfiles } from '../marketing/profile.js'
import type { CallOptions, MarketingPlatform } from '../marketing/platform.js'
import { foldByPerson } from './call-item.js'
import { createLane, type LaneParts } from './lane.js'
import { sendTogether } from './send-items.js'
import type { Worker } from './worker.js'

/** Subscriptions, those of one list in a call. */
export function createSubscriptionLane(platform: MarketingPlatform, parts: LaneParts): Worker {
  const { calls, bounds } = parts
  return createLane(
    {
      lane: 'subscriptions',
      many: () => ({ call: 'subscribe', full: bounds.calls.subscribe.items }),
      run(run) {
        const items = foldByPerson<SubscribeMessage>(run.claim.sends, foldSubscriptions)
        const messages = items.map(({ message }) => message)
        const make = (options: CallOptions) => platform.subscribe(messages, options)
        return sendTogether(calls, run, { items, make })
      },
    },
    parts,
  )
}

const foldSubscriptions = (
  earlier: SubscribeMessage,
  later: SubscribeMessage,
): SubscribeMessage => ({
  ...later,
  profile: mergeProfiles(earlier.profile, later.profile),
  channels: [...new Set([...earlier.channels, ...later.channels])],
})
