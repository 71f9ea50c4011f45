import type {
  BackInStockMessage,
  EventMessage,
  Message,
  SubscribeMessage,
  UnsubscribeMessage,
} from './message.js'
import type { CallAnswer, CallOptions, Dispatch, KlaviyoError, Outcome } from './call-answer.js'
import type { Profile } from './profile.js'
import * as bodies from './bodies.js'
import type { ItemsBody, ProfilePlace } from './bodies.js'
import { catalogPage, findCatalogEntries, readCatalogJob, startCatalogJob } from './catalog.js'
import { checkAccount, type AccountCheckOptions } from './check-account.js'
import {
  createCoupon,
  markCodeUsed,
  readCouponJob,
  readFreeCodes,
  startCouponJob,
  type Coupon,
} from './coupons.js'
import { changedConsents, findConsents, type ConsentsSince } from './find-consents.js'
import type { Effects } from '../../core/effects.js'
import type { Visitors } from '../../core/workers/visitors.js'
import { createAskApi, type CallContext } from './ask-api.js'
import { findProfiles, findSubscribed } from './find-profiles.js'
import { readLists } from './klaviyo-lists.js'
import { mapMetric, readMappedMetrics, type MetricSlot } from './mapped-metrics.js'
import { call } from './call.js'
import {
  invalidEvent,
  invalidList,
  invalidProfile,
  invalidRecipient,
  invalidSubscription,
} from './invalid.js'
import { outcomesOf, type CalledItems, type Rejection } from './outcomes.js'

/** A call that carries items. */
interface ItemCall<Item> extends Pick<CalledItems, 'list' | 'unknownProfile' | 'isNotYet'> {
  items: readonly Item[]
  path: string
  /** Why Klaviyo would refuse the item. */
  invalid: (item: Item) => KlaviyoError | undefined
  /** Groups the items that share one profile in the body. */
  places?: (items: readonly Item[]) => readonly ProfilePlace[]
  messageOf: (item: Item) => Message | undefined
  bodyOf: (items: readonly Item[]) => ItemsBody
}

/** Sends the valid items, and returns an outcome for every item. Makes no call when none is valid. */
async function sendItems<Item>(
  { visitors, ...context }: CallContext & { visitors: Visitors },
  { items, path, invalid, places = () => [], messageOf, bodyOf, ...about }: ItemCall<Item>,
): Promise<CallAnswer> {
  // A thousand items take long, so visitors are answered between the checks, the body, its text and the outcomes.
  const turn = () => visitors.turn(items.length)
  await turn()
  const outcomes = items.map((item): Outcome | undefined => {
    const error = invalid(item)
    return error && { is: 'refused', error }
  })
  const open = () => [...items.keys()].filter((index) => outcomes[index] === undefined)
  const answer = () => outcomes.filter((outcome) => outcome !== undefined)

  const valid = open()
  for (const { profile, indexes } of places(at(items, valid))) {
    // Items that are invalid only when merged into one profile are sent in smaller batches.
    const error = indexes.length > 1 ? invalidProfile(profile) : undefined
    if (error === undefined) continue
    for (const index of at(valid, indexes)) outcomes[index] = { is: 'culpritUnknown', error }
  }
  const sent = open()
  if (sent.length === 0) return { outcomes: answer(), isUnasked: true }
  const inCall = at(items, sent)
  await turn()
  const { body, itemsAt } = bodyOf(inCall)
  await turn()
  const { result, ...rate } = await call(context, { method: 'POST', path, body })
  await turn()
  const inCallOutcomes = outcomesOf(result, { messages: inCall.map(messageOf), itemsAt, ...about })
  for (const [place, index] of sent.entries()) outcomes[index] = inCallOutcomes[place]
  // We refused the request ourselves, before it was sent.
  return { outcomes: answer(), ...rate, ...(result.is === 'refused' && { isUnasked: true }) }
}

const at = <Value>(values: readonly Value[], indexes: readonly number[]): Value[] =>
  indexes.flatMap((index) => values[index] ?? [])

/**
 * The client of Klaviyo's API (`docs/decisions/0004-libraries.md`). Every call ends when its signal fires,
 * follows no redirect and retries nothing. It never throws because of Klaviyo or the network; such a failure is
 * an outcome.
 *
 * @param ownUrlOf The URL of a key whose calls go elsewhere.
 * @throws {TypeError} when `apiUrl` is not an http or https URL.
 */
export function createKlaviyo(
  apiUrl: string,
  { fetch, now, visitors }: Pick<Effects, 'fetch' | 'now'> & { visitors: Visitors },
  ownUrlOf?: (apiKey: string) => string | undefined,
) {
  const askApi = createAskApi(apiUrl, { fetch }, ownUrlOf)
  const by = (options: CallOptions) => ({ ...options, askApi, now, visitors })
  return {
    trackEvent: (event: Dispatch<EventMessage>, options: CallOptions) =>
      sendItems(by(options), {
        ...ofEvents,
        items: [event],
        path: '/api/events',
        bodyOf: () => ({ body: bodies.eventBody(event, now()), itemsAt: theOnly }),
      }),

    /** Up to `callLimits.events.items` events. Those of one profile are in the order in which they happened. */
    trackEvents: (events: readonly Dispatch<EventMessage>[], options: CallOptions) =>
      sendItems(by(options), {
        ...ofEvents,
        items: events,
        path: '/api/event-bulk-create-jobs',
        places: bodies.eventGroups,
        bodyOf: (valid) => bodies.eventsBody(valid, now()),
      }),

    saveProfile: (profile: Profile, options: CallOptions) =>
      sendItems(by(options), {
        items: [profile],
        path: '/api/profile-import',
        invalid: invalidProfile,
        messageOf: () => ({ kind: 'identify', profile }),
        bodyOf: () => ({ body: bodies.profileBody(profile), itemsAt: theOnly }),
      }),

    /** Takes messages about one list. */
    async subscribe(messages: readonly SubscribeMessage[], options: CallOptions) {
      const list = messages[0]?.list ?? ''
      if (messages.some((message) => message.list !== list)) {
        throw new TypeError('One call subscribes to one list.')
      }
      return sendItems(by(options), {
        items: messages,
        path: '/api/profile-subscription-bulk-create-jobs',
        list,
        invalid: invalidSubscription,
        messageOf: (message) => message,
        bodyOf: (valid) => bodies.subscribeBody(valid, list),
      })
    },

    /** Deletes a profile with its events and consents. It has one identifier. A missing one counts as deleted. */
    deleteProfile: (profile: Profile, options: CallOptions) =>
      sendItems(by(options), {
        items: [profile],
        path: '/api/data-privacy-deletion-jobs',
        invalid: invalidProfile,
        // A profile without its email would be another person's.
        messageOf: () => undefined,
        bodyOf: () => ({ body: bodies.deletionBody(profile), itemsAt: theOnly }),
        unknownProfile: { is: 'delivered' },
      }),

    unsubscribe: (messages: readonly UnsubscribeMessage[], options: CallOptions) =>
      sendItems(by(options), {
        items: messages,
        path: '/api/profile-subscription-bulk-delete-jobs',
        invalid: invalidRecipient,
        messageOf: (message) => message,
        bodyOf: bodies.unsubscribeBody,
      }),

    askForBackInStock: (message: BackInStockMessage, options: CallOptions) =>
      sendItems(by(options), {
        items: [message],
        path: '/api/back-in-stock-subscriptions',
        invalid: invalidRecipient,
        messageOf: () => message,
        bodyOf: () => ({ body: bodies.backInStockBody(message), itemsAt: theOnly }),
        isNotYet: isAboutVariant,
      }),

    addToList: (ids: readonly string[], { list, ...options }: CallOptions & { list: string }) =>
      sendItems(by(options), {
        items: ids,
        path: `/api/lists/${list}/relationships/profiles`,
        list,
        invalid: () => invalidList(list),
        messageOf: () => undefined,
        bodyOf: bodies.listMembersBody,
      }),

    findConsents: (profiles: readonly Profile[], options: CallOptions) =>
      findConsents(by(options), profiles),

    changedConsents: (since: ConsentsSince, options: CallOptions) =>
      changedConsents(by(options), since),

    findProfiles: (emails: readonly string[], options: CallOptions) =>
      findProfiles(by(options), emails),

    findSubscribed: (messages: readonly SubscribeMessage[], options: CallOptions) =>
      findSubscribed(by(options), messages),

    lists: (options: CallOptions) => readLists(by(options)),

    mappedMetrics: (options: CallOptions) => readMappedMetrics(by(options)),

    mapMetric: ({ slot, metric, ...options }: CallOptions & { slot: MetricSlot; metric: string }) =>
      mapMetric(by(options), slot, metric),

    startCatalogJob: (job: Parameters<typeof startCatalogJob>[1], options: CallOptions) =>
      startCatalogJob(by(options), job),

    readCatalogJob: (job: Parameters<typeof readCatalogJob>[1], options: CallOptions) =>
      readCatalogJob(by(options), job),

    findCatalogEntries: (of: Parameters<typeof findCatalogEntries>[1], options: CallOptions) =>
      findCatalogEntries(by(options), of),

    catalogPage: (page: Parameters<typeof catalogPage>[1], options: CallOptions) =>
      catalogPage(by(options), page),

    createCoupon: (coupon: Coupon, options: CallOptions) => createCoupon(by(options), coupon),

    startCouponJob: (job: Parameters<typeof startCouponJob>[1], options: CallOptions) =>
      startCouponJob(by(options), job),

    readCouponJob: (job: string, options: CallOptions) => readCouponJob(by(options), job),

    readFreeCodes: (page: Parameters<typeof readFreeCodes>[1], options: CallOptions) =>
      readFreeCodes(by(options), page),

    markCodeUsed: (of: Parameters<typeof markCodeUsed>[1], options: CallOptions) =>
      markCodeUsed(by(options), of),

    checkAccount: ({ hasCoupons, ...options }: AccountCheckOptions) =>
      checkAccount(by(options), hasCoupons),
  }
}

export type Klaviyo = ReturnType<typeof createKlaviyo>

const ofEvents = {
  invalid: ({ message }: Dispatch<EventMessage>) => invalidEvent(message),
  messageOf: ({ message }: Dispatch<EventMessage>) => message,
}

const theOnly = () => [0]

/** Klaviyo does not document how it refuses a variant that it does not know. */
const isAboutVariant = ({ status, errors }: Rejection): boolean =>
  status === 404 || errors.some(({ pointer }) => pointer?.includes('/variant') ?? false)
