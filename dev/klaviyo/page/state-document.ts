import type { KlaviyoStandIn } from '../stand-in.ts'

/** Everything the stand-in holds, for a script that watches it. */
export const stateDocument = ({ state, faults }: KlaviyoStandIn) => ({
  profiles: [...state.profiles.values()],
  events: state.events,
  lists: [...state.lists.values()].map((list) => ({ ...list, members: [...list.members.keys()] })),
  confirmations: [...state.confirmations.values()],
  calls: state.calls,
  throttled: state.throttled,
  faults: faults.active,
})
