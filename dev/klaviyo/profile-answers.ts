import {
  accepted,
  duplicateProfile,
  listWithId,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { FilterError, parseFilter, parseMomentFilter, type Comparison } from './filter.ts'
import type { Body } from './bodies.ts'
import type { ProfileBook } from './profile-book.ts'
import { fieldsOf, onlyFields, pageOf, wrongParameter } from './query.ts'
import { moment, profileResource } from './resources.ts'
import type { StoredProfile } from './stored.ts'

export const profileAnswers = ({ account, later, eventSeconds }: AnswerParts) => ({
  profile({ url, body }: Call): Answer {
    const show = profileView(url)
    const input = (body as Body<'profile'>).data
    refuseUnknownId(account.book, input, '/data/id')
    const match = account.book.match(input)
    if (match.is === 'two') throw duplicateProfile(match.other)
    const { profile, isNew } = account.saveProfile(input)
    const resource = show(profile)
    return { status: isNew ? 201 : 200, document: { data: resource, links: resource.links } }
  },

  /** Deleted later, as the endpoint's description says; an unknown profile is not reported. */
  'delete-profile'({ body }: Call): Answer {
    const { id, attributes = {} } = (body as Body<'delete-profile'>).data.attributes.profile.data
    later(() => {
      const match = account.book.match({ id: id ?? null, attributes })
      if (match.is === 'one') account.erase(match.profile)
    }, eventSeconds)
    return accepted
  },

  'find-profiles'({ url }: Call): Answer {
    const filter = url.searchParams.get('filter')
    const found =
      changedProfiles(account.book, filter) ?? filtered(account.book, filter, IDENTIFIERS)
    const show = profileView(url)
    const inOrder = sorted(found, url.searchParams.get('sort'))
    return pageOfProfiles(inOrder, url, show)
  },

  /** The members of a list. */
  'find-subscribed'({ url, id }: Call): Answer {
    const { members } = listWithId(account, id, '/data')
    const filter = url.searchParams.get('filter')
    const found = filtered(account.book, filter, ['email', 'phone_number'])
    const show = profileView(url)
    return pageOfProfiles(
      found.filter((profile) => members.has(profile.id)),
      url,
      (profile) => show(profile, { joined_group_at: moment(members.get(profile.id) ?? 0) }),
    )
  },
})

function pageOfProfiles(
  profiles: readonly StoredProfile[],
  url: URL,
  show: (profile: StoredProfile) => unknown,
): Answer {
  const page = pageOf(profiles, { url, origin: url.origin, size: { default: 20, max: 100 } })
  return {
    status: 200,
    document: { data: page.entries.map((profile) => show(profile)), links: page.links },
  }
}

/** How this call wants profiles to be shown. */
function profileView(url: URL) {
  const fields = fieldsOf(url, 'profile')
  const additional = url.searchParams.get('additional-fields[profile]')?.split(',')
  const withSubscriptions = additional?.includes('subscriptions') === true
  return (profile: StoredProfile, more: Record<string, unknown> = {}) => {
    const resource = profileResource(url.origin, profile, { withSubscriptions })
    return onlyFields({ ...resource, attributes: { ...resource.attributes, ...more } }, fields)
  }
}

/** The moments by which profiles are filtered and sorted. A profile may have several of one kind. */
const MOMENTS: Readonly<Record<string, (profile: StoredProfile) => number[]>> = {
  created: ({ createdAt }) => [createdAt],
  updated: ({ updatedAt }) => [updatedAt],
  'subscriptions.email.marketing.suppression.timestamp': ({ suppressions }) =>
    suppressions.map(({ at }) => at),
  'subscriptions.email.marketing.list_suppressions.timestamp': ({ listSuppressions }) =>
    listSuppressions.map(({ at }) => at),
}

const STRICT: ReadonlySet<string> = new Set(['created', 'updated'])

const mayCompare = (field: string, operator: Comparison) =>
  MOMENTS[field] !== undefined && (!STRICT.has(field) || operator.endsWith('-than'))

/** The profiles with a moment in a range; undefined for a filter of another kind. */
function changedProfiles(book: ProfileBook, source: string | null): StoredProfile[] | undefined {
  const filter = source === null ? undefined : readWith(source, parseMomentFilter)
  if (filter === undefined) return undefined
  const { field, operator, isMet } = filter
  const moments = MOMENTS[field]
  if (!moments || !mayCompare(field, operator)) {
    throw wrongParameter('filter', `'${field}' cannot be filtered by '${operator}'.`)
  }
  return [...book.profiles.values()].filter((profile) => moments(profile).some(isMet))
}

const TEXTS: Readonly<Record<string, (profile: StoredProfile) => string>> = {
  id: ({ id }) => id,
  email: ({ attributes }) => attributes.email ?? '',
}

/** A minus sign sorts the other way. By the latest moment, where there are several. */
function sorted(profiles: StoredProfile[], sort: string | null): StoredProfile[] {
  if (sort === null) return profiles
  const field = sort.replace(/^-/, '')
  const [moments, text] = [MOMENTS[field], TEXTS[field]]
  const keyOf = moments ? (profile: StoredProfile) => Math.max(0, ...moments(profile)) : text
  if (!keyOf) throw wrongParameter('sort', `Profiles cannot be sorted by '${field}'.`)
  const inOrder = profiles.toSorted((one, other) => {
    const [first, second] = [keyOf(one), keyOf(other)]
    return first < second ? -1 : Number(first > second)
  })
  return sort.startsWith('-') ? inOrder.reverse() : inOrder
}

const MAX_VALUES = 100
const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'id'] as const
type Identifier = (typeof IDENTIFIERS)[number]

/** The profiles that a filter finds, each once. */
function filtered(
  book: ProfileBook,
  source: string | null,
  allowed: readonly Identifier[],
): StoredProfile[] {
  if (source === null) return [...book.profiles.values()]
  const { field, values } = readWith(source, parseFilter)
  if (values.length > MAX_VALUES) {
    throw wrongParameter('filter', `'any' takes at most ${MAX_VALUES} values.`)
  }
  const name = allowed.find((known) => known === field)
  if (name === undefined) {
    throw wrongParameter('filter', `Profiles cannot be filtered by '${field}'.`)
  }
  const found = values.map((value) => (name === 'id' ? book.byId(value) : book.by(name, value)))
  return [...new Set(found.filter((profile) => profile !== undefined))]
}

function readWith<Read>(source: string, parse: (source: string) => Read): Read {
  try {
    return parse(source)
  } catch (error) {
    if (error instanceof FilterError) throw wrongParameter('filter', error.message)
    throw error
  }
}
