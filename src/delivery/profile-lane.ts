import type { IdentifyMessage } from '../marketing/message.js'
import type { CallOptions, MarketingPlatform } from '../marketing/platform.js'
import { foldByPerson, foldIdentifies } from './call-item.js'
import { createLane, type LaneParts } from './lane.js'
import { sendOneByOne, sendTogether } from './send-items.js'
import { withSlots } from './with-slots.js'
import type { Worker } from './worker.js'

/** Profiles that are made or updated without an event. */
export function createProfileLane(platform: MarketingPlatform, parts: LaneParts): Worker {
  const { calls, bounds } = parts
  return createLane(
    {
      lane: 'profiles',
      single: 'profile',
      many: () => ({ call: 'profiles', full: bounds.calls.profiles.items }),
      run(run) {
        const { sends } = run.claim
        const items = foldByPerson<IdentifyMessage>(sends, foldIdentifies)
        if (!run.isOneByOne) {
          const profiles = items.map(({ message }) => message.profile)
          const make = (options: CallOptions) => platform.importProfiles(profiles, options)
          return sendTogether(calls, run, { items, make })
        }
        const slots = [...run.slots]
        const { ready, waiting } = withSlots(items, () => slots.shift())
        run.giveBack(waiting.flatMap((item) => item.sends))
        const singles = ready.map(({ item, slot }) => ({
          item,
          slot,
          make: (options: CallOptions) => platform.saveProfile(item.message.profile, options),
        }))
        return sendOneByOne(calls, run, singles)
      },
    },
    parts,
  )
}
