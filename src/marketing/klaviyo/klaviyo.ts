import * as z from 'zod/mini'
import type { EventMessage, Message } from './message.js'
import type {
  CallOptions,
  Dispatch,
  MarketingPlatform,
  Outcome,
  CallAnswer,
  PlatformError,
  AccountLists,
  PlatformList,
  Reply,
} from './platform.js'
import type { Profile } from './profile.js'
import * as bodies from './bodies.js'
import type { ItemsBody, ProfilePlace } from './bodies.js'
import { checkAccount } from './check-account.js'
import { changedConsents, findConsents } from './find-consents.js'
import type { Effects } from '../../core/effects.js'
import { createAskApi, type CallContext } from './ask-api.js'
import { findProfiles } from './find-profiles.js'
import { findSubscribed } from './find-subscribed.js'
import { klaviyoBounds } from './limits.js'
import { mapMetric, readMappedMetrics } from './mapped-metrics.js'
import { call, ask, nextCursor, pageLinks } from './call.js'
import {
  invalidEvent,
  invalidList,
  invalidProfile,
  invalidSubscription,
  invalidUnsubscription,
} from './invalid.js'
import { outcomesOf, type CalledItems } from './outcomes.js'

const listsDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ name: z.nullish(z.string()) }) }),
  ),
  links: pageLinks,
})

/** A thousand lists: the platform allows ten a page. The limit also ends a cycle of next pages. */
const pageLimit = 100

/** If a page fails the whole read fails, because a part of the lists would look complete. */
async function readLists(context: CallContext): Reply<AccountLists> {
  const lists = new Map<string, PlatformList>()
  const query: Record<string, string> = { 'fields[list]': 'name', 'page[size]': '10' }
  for (let page = 1; ; page++) {
    const answer = await ask(context, { path: '/api/lists', query, schema: listsDocument })
    if ('failed' in answer) return answer
    const { document, ...rate } = answer
    for (const { id, attributes } of document.data) {
      lists.set(id, { id, name: attributes.name ?? '' })
    }
    const cursor = nextCursor(document.links)
    if (cursor === undefined || page === pageLimit) {
      const byName = [...lists.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'))
      return { lists: byName, isComplete: cursor === undefined, ...rate }
    }
    query['page[cursor]'] = cursor
  }
}

/** A call that carries items. */
interface ItemCall<Item> extends Pick<CalledItems, 'list' | 'unknownProfile'> {
  items: readonly Item[]
  path: string
  /** Why the platform would refuse the item. */
  invalid: (item: Item) => PlatformError | undefined
  /** Groups the items that share one profile in the body. */
  places?: (items: readonly Item[]) => readonly ProfilePlace[]
  messageOf: (item: Item) => Message | undefined
  bodyOf: (items: readonly Item[]) => ItemsBody
}

/** Sends the valid items, and returns an outcome for every item. Makes no call when none is valid. */
async function sendItems<Item>(
  context: CallContext,
  { items, path, invalid, places = () => [], messageOf, bodyOf, ...about }: ItemCall<Item>,
): Promise<CallAnswer> {
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
  const { body, itemsAt } = bodyOf(inCall)
  const { reading, ...rate } = await call(context, { method: 'POST', path, body })
  const inCallOutcomes = outcomesOf(reading, { messages: inCall.map(messageOf), itemsAt, ...about })
  for (const [place, index] of sent.entries()) outcomes[index] = inCallOutcomes[place]
  // We refused the request ourselves, before it was sent.
  return { outcomes: answer(), ...rate, ...(reading.is === 'refused' && { isUnasked: true }) }
}

const at = <Value>(values: readonly Value[], indexes: readonly number[]): Value[] =>
  indexes.flatMap((index) => values[index] ?? [])

/**
 * The client of Klaviyo's API (`docs/decisions/0006-klaviyo-client.md`).
 *
 * @throws {TypeError} when `apiUrl` is not an http or https URL.
 */
export function createKlaviyo(
  apiUrl: string,
  { fetch, now }: Pick<Effects, 'fetch' | 'now'>,
): MarketingPlatform {
  const askApi = createAskApi(apiUrl, { fetch })
  const by = (options: CallOptions): CallContext => ({ ...options, askApi, now })
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
        bodyOf: (valid) => bodies.eventsBody(valid, now()),
      }),
    saveProfile: (profile, options) =>
      sendItems(by(options), {
        items: [profile],
        path: '/api/profile-import',
        invalid: invalidProfile,
        messageOf: () => messageOf(profile),
        bodyOf: () => ({ body: bodies.profileBody(profile), itemsAt: theOnly }),
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
        invalid: invalidSubscription,
        messageOf: (message) => message,
        bodyOf: (valid) => bodies.subscribeBody(valid, list),
      })
    },
    deleteProfile: (profile, options) =>
      sendItems(by(options), {
        items: [profile],
        path: '/api/data-privacy-deletion-jobs',
        invalid: invalidProfile,
        // A profile without its email would be another person's.
        messageOf: () => undefined,
        bodyOf: () => ({ body: bodies.deletionBody(profile), itemsAt: theOnly }),
        unknownProfile: { is: 'delivered' },
      }),
    unsubscribe: (messages, options) =>
      sendItems(by(options), {
        items: messages,
        path: '/api/profile-subscription-bulk-delete-jobs',
        invalid: invalidUnsubscription,
        messageOf: (message) => message,
        bodyOf: bodies.unsubscribeBody,
      }),
    findConsents: (profiles, options) => findConsents(by(options), profiles),
    changedConsents: (since, options) => changedConsents(by(options), since),
    addToList: (ids, { list, ...options }) =>
      sendItems(by(options), {
        items: ids,
        path: `/api/lists/${list}/relationships/profiles`,
        list,
        invalid: () => invalidList(list),
        messageOf: () => undefined,
        bodyOf: bodies.listMembersBody,
      }),
    findProfiles: (emails, options) => findProfiles(by(options), emails),
    findSubscribed: (messages, options) => findSubscribed(by(options), messages),
    lists: (options) => readLists(by(options)),
    mappedMetrics: (options) => readMappedMetrics(by(options)),
    mapMetric: ({ slot, metric, ...options }) => mapMetric(by(options), slot, metric),
    checkAccount: (options) => checkAccount(by(options)),
  }
}

const ofEvents = {
  invalid: ({ message }: Dispatch<EventMessage>) => invalidEvent(message),
  messageOf: ({ message }: Dispatch<EventMessage>) => message,
}

const theOnly = () => [0]

const messageOf = (profile: Profile): Message => ({ kind: 'identify', profile })
