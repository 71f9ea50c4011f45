import { z } from 'zod'
import type { EventMessage, Message } from '../marketing/message.js'
import type { CallOptions, Dispatch, MarketingPlatform, Outcome } from '../marketing/platform.js'
import type { Profile } from '../marketing/profile.js'
import * as bodies from './bodies.js'
import { checkAccount } from './check-account.js'
import { createExchange, type CallContext, type ExchangeParts } from './exchange.js'
import { findProfiles } from './find-profiles.js'
import { findSubscribed } from './find-subscribed.js'
import { importErrors, importJob } from './import-jobs.js'
import { klaviyoBounds } from './limits.js'
import { unreadable } from './call.js'
import { readLists } from './read-lists.js'
import { sendItems } from './send-items.js'
import { unfitEvent, unfitList, unfitProfile, unfitSubscription } from './unfit.js'

export interface KlaviyoParts extends ExchangeParts {
  now: () => Date
}

/**
 * Klaviyo, over one exchange of our own (`docs/decisions/0006-klaviyo-client.md`).
 *
 * @throws {TypeError} when `apiUrl` is no http or https URL.
 */
export function createKlaviyo({ apiUrl, fetch, now }: KlaviyoParts): MarketingPlatform {
  const exchange = createExchange({ apiUrl, fetch })
  const by = (options: CallOptions): CallContext => ({ ...options, exchange, now })
  return {
    bounds: klaviyoBounds,
    trackEvent: (event, options) =>
      sendItems(by(options), {
        ...ofEvents,
        items: [event],
        path: '/api/events',
        bodyOf: () => ({ body: bodies.eventBody(event, now()), itemsAt: theOnly }),
      }),
    trackEvents: (events, options) =>
      sendItems(by(options), {
        ...ofEvents,
        items: events,
        path: '/api/event-bulk-create-jobs',
        places: bodies.eventGroups,
        bodyOf: (fit) => bodies.eventsBody(fit, now()),
      }),
    saveProfile: (profile, options) =>
      sendItems(by(options), {
        items: [profile],
        path: '/api/profile-import',
        unfit: unfitProfile,
        messageOf: () => messageOf(profile),
        bodyOf: () => ({ body: bodies.profileBody(profile), itemsAt: theOnly }),
      }),
    importProfiles: (profiles, { list, ...options }) =>
      sendItems(by(options), {
        items: profiles,
        path: '/api/profile-bulk-import-jobs',
        list,
        unfit: unfitProfile,
        places: bodies.importEntries,
        messageOf: (profile) => messageOf(profile, list),
        bodyOf: (fit) => bodies.importBody(fit, list),
        delivered: imported,
      }),
    async subscribe(messages, options) {
      const list = messages[0]?.list ?? ''
      if (messages.some((message) => message.list !== list)) {
        throw new TypeError('One call subscribes to one list.')
      }
      return sendItems(by(options), {
        items: messages,
        path: '/api/profile-subscription-bulk-create-jobs',
        list,
        unfit: unfitSubscription,
        messageOf: (message) => message,
        bodyOf: (fit) => bodies.subscribeBody(fit, list),
      })
    },
    addToList: (ids, { list, ...options }) =>
      sendItems(by(options), {
        items: ids,
        path: `/api/lists/${list}/relationships/profiles`,
        list,
        unfit: () => unfitList(list),
        messageOf: () => undefined,
        bodyOf: bodies.listMembersBody,
      }),
    findProfiles: (emails, options) => findProfiles(by(options), emails),
    findSubscribed: (messages, options) => findSubscribed(by(options), messages),
    importJob: (job, options) => importJob(by(options), job),
    importErrors: (job, options) => importErrors(by(options), job, options.page),
    lists: (options) => readLists(by(options)),
    checkAccount: (options) => checkAccount(by(options)),
  }
}

const ofEvents = {
  unfit: ({ message }: Dispatch<EventMessage>) => unfitEvent(message),
  messageOf: ({ message }: Dispatch<EventMessage>) => message,
}

const theOnly = () => [0]

const messageOf = (profile: Profile, list?: string): Message =>
  list === undefined ? { kind: 'identify', profile } : { kind: 'list-add', profile, list }

const jobDocument = z.object({ data: z.object({ id: z.string().min(1) }) })

/** Without the job's id its errors cannot be asked for. To import again changes nothing. */
function imported(document: unknown): Outcome {
  const job = jobDocument.safeParse(document)
  return job.success ? { is: 'delivered', job: job.data.data.id } : unreadable(202)
}
