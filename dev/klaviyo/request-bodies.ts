import { eventBodies } from './bodies/event-bodies.ts'
import { mappedMetricBody } from './bodies/mapped-metric-body.ts'
import { deletionBody, listMembersBody, profileBody } from './bodies/profile-bodies.ts'
import { subscriptionsBody } from './bodies/subscription-body.ts'
import { unsubscriptionsBody } from './bodies/unsubscription-body.ts'

/**
 * What the published documents ask of each request body, written out by hand: revision 2026-07-15.
 * The bodies that have to do with time need to know it.
 */
export const requestBodies = (now: () => number) => ({
  ...eventBodies(now),
  profile: profileBody,
  subscriptions: subscriptionsBody(now),
  unsubscriptions: unsubscriptionsBody,
  listMembers: listMembersBody,
  deletion: deletionBody,
  mappedMetric: mappedMetricBody,
})
