import type { Action } from '../visit.js'
import { marketingAction, type MarketingActionParts } from './marketing-action.js'
import { profileOfPost } from './profile-of-post.js'
import { sendsOfPost } from './sends-of-post.js'

/** `POST …/api/identify`: creates or updates a profile. */
export const createIdentifyAction = (parts: MarketingActionParts): Action =>
  marketingAction('identify', parts, async ({ form, settings, now, leaveOut }) =>
    sendsOfPost(
      {
        ...(await profileOfPost({ form, leaveOut })),
        event: undefined,
        order: undefined,
        lists: { lists: [], isSubscription: false },
      },
      { now, foldMinutes: settings.foldMinutes, leaveOut },
    ),
  )
