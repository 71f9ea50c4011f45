import * as z from 'zod/mini'
import { ask, askEach, nextCursor, pageLinks } from './call.js'
import type { CallContext } from './ask-api.js'
import { filtersFor, pageSize } from './find-profiles.js'
import type { Reply } from './call-answer.js'
import type { Channel } from './message.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { Profile } from './profile.js'

export type ConsentStatus = 'subscribed' | 'unsubscribed' | 'never'

export interface ChannelConsent {
  status: ConsentStatus
  /** When that began; undefined when Klaviyo does not say. */
  since: Date | undefined
  /** Klaviyo's word for how it came about, such as `UNSUBSCRIBE` or `PREFERENCE_PAGE`; may be blank. */
  source: string
}

/** Klaviyo's reason for a suppression when a subscription was ended, also by a call of ours. */
const unsubscribedReason = 'UNSUBSCRIBE'

/** The reasons of suppressions that say that a person has left, and that no call of ours causes. */
export const reasonsOfOthers: readonly string[] = ['SPAM_COMPLAINT', 'USER_SUPPRESSED']

export interface ProfileConsents extends Record<Channel, ChannelConsent> {
  /** Klaviyo's id of the profile. */
  id: string
  address: Pick<Profile, 'email' | 'phoneNumber'>
  /** Each suppression by which the person has left email, the latest first: `email` says that one. */
  leftEmail: readonly ChannelConsent[]
  /** Why Klaviyo sends no emails to the address, in its words, the latest first. */
  suppressions: readonly { reason: string; since: Date | undefined }[]
  /** The lists that the person has left without leaving all of them. */
  leftLists: readonly { list: string; since: Date | undefined }[]
}

/**
 * `suppressed` finds who left email, by the moment, which Klaviyo documents. `updated` finds texts that
 * somebody stopped and people who came back, if such a change counts as an update of the profile, which
 * Klaviyo does not say. `profiles` reads these profiles again.
 */
export type ConsentsSince =
  | { walk: 'suppressed' | 'updated'; from: Date; page?: string }
  | { walk: 'profiles'; ids: readonly string[] }

export interface ChangedConsents {
  profiles: ProfileConsents[]
  /** Absent on the last page. */
  nextPage?: string
  /** All changes before this moment are on this page or on earlier ones; undefined on an empty page. */
  readUntil: Date | undefined
}

/** Undefined where Klaviyo says none that can be read. */
export const moment = z.catch(z.nullish(z.pipe(z.string(), z.transform(readMoment))), undefined)

/** A moment of Klaviyo. One without an offset is in UTC. */
function readMoment(text: string): Date | undefined {
  const at = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const suppression = z.object({ reason: z.catch(z.string(), ''), timestamp: moment })

const marketing = z.object({
  consent: z.string(),
  consent_timestamp: moment,
  last_updated: moment,
  method: z.nullish(z.string()),
  suppression: z.nullish(z.array(suppression)),
  list_suppressions: z.nullish(z.array(z.extend(suppression, { list_id: z.string() }))),
})

type Marketing = z.infer<typeof marketing>

const channel = z.nullish(z.object({ marketing: z.nullish(marketing) }))

const profilesDocument = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      attributes: z.object({
        email: z.nullish(z.string()),
        phone_number: z.nullish(z.string()),
        updated: moment,
        subscriptions: z.nullish(z.object({ email: channel, sms: channel })),
      }),
    }),
  ),
  links: pageLinks,
})

type Resource = z.infer<typeof profilesDocument>['data'][number]

const question = {
  path: '/api/profiles',
  schema: profilesDocument,
  answerBytes: 4_000_000,
}

const shown = {
  'additional-fields[profile]': 'subscriptions',
  'fields[profile]': 'email,phone_number,updated,subscriptions',
  'page[size]': `${pageSize}`,
}

/** Makes one request for the emails and one for the phone numbers, or more when a URL would be too long. */
export async function findConsents(
  context: CallContext,
  profiles: readonly Profile[],
): Reply<{ consents: ReadonlyMap<string, ProfileConsents> }> {
  const filters = [
    ...filtersFor(
      'email',
      profiles.flatMap(({ email }) => email?.toLowerCase() ?? []),
    ),
    ...filtersFor(
      'phone_number',
      profiles.flatMap(({ phoneNumber }) => phoneNumber ?? []),
    ),
  ]
  const answer = await askEach(filters, (filter) =>
    ask(context, { ...question, query: { ...shown, filter } }),
  )
  if ('failed' in answer) return answer
  const { documents, ...rate } = answer
  const consents = new Map<string, ProfileConsents>()
  for (const found of documents.flatMap(({ data }) => data).map(readConsents)) {
    const { email, phoneNumber } = found.address
    if (phoneNumber !== undefined) consents.set(profileKey({ phoneNumber }), found)
    if (email !== undefined) consents.set(profileKey({ email }), found)
  }
  return { consents, ...rate }
}

const sortFields = {
  suppressed: 'subscriptions.email.marketing.suppression.timestamp',
  updated: 'updated',
} as const

/** One request. */
export async function changedConsents(
  context: CallContext,
  since: ConsentsSince,
): Reply<ChangedConsents> {
  const answer = await ask(context, { ...question, query: { ...shown, ...queryOf(since) } })
  if ('failed' in answer) return answer
  const { document, ...rate } = answer
  const nextPage = nextCursor(document.links)
  const last = document.data.at(-1)
  return {
    profiles: document.data.map(readConsents),
    readUntil: last && momentOf(last, since),
    ...(nextPage !== undefined && { nextPage }),
    ...rate,
  }
}

function queryOf(since: ConsentsSince): Record<string, string> {
  if (since.walk === 'profiles') {
    return { filter: `any(id,[${since.ids.map((id) => JSON.stringify(id)).join(',')}])` }
  }
  const { walk, from, page } = since
  const field = sortFields[walk]
  // `updated` has no "or equal".
  const operator = walk === 'updated' ? 'greater-than' : 'greater-or-equal'
  return {
    filter: `${operator}(${field},${from.toISOString()})`,
    sort: field,
    ...(page !== undefined && { 'page[cursor]': page }),
  }
}

/** The moment by which the page is sorted. Of several suppressions, the earliest that the walk can be about. */
function momentOf({ attributes }: Resource, since: ConsentsSince): Date | undefined {
  if (since.walk === 'profiles') return undefined
  if (since.walk === 'updated') return attributes.updated ?? undefined
  const moments = (attributes.subscriptions?.email?.marketing?.suppression ?? [])
    .flatMap(({ timestamp }) => timestamp ?? [])
    .filter((at) => at >= since.from)
  return moments.length === 0 ? undefined : new Date(Math.min(...moments.map(Number)))
}

function readConsents({ id, attributes }: Resource): ProfileConsents {
  const { email, phone_number: phoneNumber, subscriptions } = attributes
  const ofEmail = subscriptions?.email?.marketing
  const lists = (ofEmail?.list_suppressions ?? []).filter(isLeaving)
  const leftEmail = leavingsOf(ofEmail)
  return {
    id,
    address: { ...(email && { email }), ...(phoneNumber && { phoneNumber }) },
    email: leftEmail[0] ?? consentOf(ofEmail),
    sms: consentOf(subscriptions?.sms?.marketing),
    leftEmail,
    suppressions: latestFirst(ofEmail?.suppression ?? []).map(({ reason, timestamp }) => ({
      reason,
      since: timestamp ?? undefined,
    })),
    leftLists: lists.map(({ list_id: list, timestamp }) => ({
      list,
      since: timestamp ?? undefined,
    })),
  }
}

/** A bounced or invalid address is suppressed too, but nobody has left. */
const leavingReasons = new Set([unsubscribedReason, ...reasonsOfOthers])

const isLeaving = ({ reason }: { reason: string }) => leavingReasons.has(reason)

const latestFirst = (given: readonly z.infer<typeof suppression>[]) =>
  given.toSorted((one, other) => Number(other.timestamp ?? 0) - Number(one.timestamp ?? 0))

const leavingsOf = (given: Marketing | null | undefined): ChannelConsent[] =>
  latestFirst(given?.suppression ?? [])
    .filter(isLeaving)
    .map(({ reason, timestamp }) => ({
      status: 'unsubscribed',
      since: timestamp ?? sinceOf(given),
      source: reason,
    }))

const sinceOf = (given: Marketing | null | undefined): Date | undefined =>
  given?.consent_timestamp ?? given?.last_updated ?? undefined

function consentOf(given: Marketing | null | undefined): ChannelConsent {
  const { consent, method, consent_timestamp: at, last_updated: changedAt } = given ?? {}
  const since = sinceOf(given)
  const source = method ?? ''
  if (consent === 'UNSUBSCRIBED') {
    // Klaviyo may keep the moment of the consent that ended. The later moment is the safe one.
    const endedAt = at && changedAt && changedAt > at ? changedAt : since
    return { status: 'unsubscribed', since: endedAt, source }
  }
  if (consent === 'SUBSCRIBED') return { status: 'subscribed', since, source }
  return { status: 'never', since: undefined, source: '' }
}
