import type { EventMessage } from '../marketing/message.js'
import type { CallOptions, Dispatch, MarketingPlatform } from '../marketing/platform.js'
import { foldIntoEvents, type CallItem } from './call-item.js'
import { createLane, type LaneParts } from './lane.js'
import { sendOneByOne, sendTogether } from './send-items.js'
import { withSlots } from './with-slots.js'
import type { Worker } from './worker.js'

/** Events, and the identifies that go along with them. */
export function createEventLane(platform: MarketingPlatform, parts: LaneParts): Worker {
  const { calls, bounds } = parts
  return createLane(
    {
      lane: 'events',
      single: 'event',
      many: () => ({ call: 'events', full: bounds.calls.events.items }),
      run(run) {
        const { items, leftOver } = foldIntoEvents(run.claim.sends)
        run.giveBack(leftOver)
        if (!run.isOneByOne) {
          const make = (options: CallOptions) =>
            platform.trackEvents(items.map(dispatchOf), options)
          return sendTogether(calls, run, { items, make })
        }
        const slots = [...run.slots]
        const { ready, waiting } = withSlots(items, () => slots.shift())
        run.giveBack(waiting.flatMap(({ sends }) => sends))
        const singles = ready.map(({ item, slot }) => ({
          item,
          slot,
          make: (options: CallOptions) => platform.trackEvent(dispatchOf(item), options),
        }))
        return sendOneByOne(calls, run, singles)
      },
    },
    parts,
  )
}

/** The event was accepted when its own send was, the last of the item's. */
const dispatchOf = ({ message, sends }: CallItem<EventMessage>): Dispatch<EventMessage> => ({
  message,
  acceptedAt: sends.at(-1)?.acceptedAt ?? new Date(),
})
