import {
  duplicateProfile,
  listWithId,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { FilterError, parseFilter } from './filter.ts'
import type { ProfileBook, ProfileInput } from './profile-book.ts'
import { onlyFields, onlyKnown, pageOf, readChoices, readFields, wrongParameter } from './query.ts'
import { moment, profileResource } from './resources.ts'
import type { StoredProfile } from './stored.ts'

export const profileAnswers = ({ account }: AnswerParts) => ({
  profile({ url, body }: Call): Answer {
    onlyKnown(url.searchParams, ['additional-fields[profile]', 'fields[profile]'])
    const show = profileView(url)
    const input = (body as { data: ProfileInput }).data
    refuseUnknownId(account.book, input, '/data/id')
    const match = account.book.match(input)
    if (match.is === 'two') throw duplicateProfile(match.other)
    const { profile, isNew } = account.saveProfile(input)
    const resource = show(profile)
    return { status: isNew ? 201 : 200, document: { data: resource, links: resource.links } }
  },

  'find-profiles'({ url }: Call): Answer {
    const found = filtered(account.book, url.searchParams.get('filter'), IDENTIFIERS)
    const show = profileView(url)
    return pageOfProfiles(found, url, (profile) => show(profile))
  },

  /** The members of a list. */
  'find-subscribed'({ url, id }: Call): Answer {
    const { members } = listWithId(account, id, '/data')
    const filter = url.searchParams.get('filter')
    const found = filtered(account.book, filter, ['email', 'phone_number'])
    const show = profileView(url, [...FIELDS, 'joined_group_at'])
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
  onlyKnown(url.searchParams, [
    'additional-fields[profile]',
    'fields[profile]',
    'filter',
    'page[cursor]',
    'page[size]',
  ])
  const page = pageOf(profiles, { url, origin: url.origin, size: { default: 20, max: 100 } })
  return { status: 200, document: { data: page.entries.map(show), links: page.links } }
}

const FIELDS = [
  'created',
  'email',
  'external_id',
  'first_name',
  'id',
  'image',
  'last_event_date',
  'last_name',
  'locale',
  'location',
  'organization',
  'phone_number',
  'predictive_analytics',
  'properties',
  'subscriptions',
  'title',
  'updated',
]

/** How this call wants profiles to be shown. */
function profileView({ searchParams, origin }: URL, known: readonly string[] = FIELDS) {
  const fields = readFields(searchParams, 'profile', known)
  const additional = readChoices(searchParams, 'additional-fields[profile]', [
    'subscriptions',
    'predictive_analytics',
  ])
  const withSubscriptions = additional?.includes('subscriptions') === true
  return (profile: StoredProfile, more: Record<string, unknown> = {}) => {
    const resource = profileResource(origin, profile, { withSubscriptions })
    return onlyFields({ ...resource, attributes: { ...resource.attributes, ...more } }, fields)
  }
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
  const { field, values } = readFilter(source)
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

function readFilter(source: string) {
  try {
    return parseFilter(source)
  } catch (error) {
    if (error instanceof FilterError) throw wrongParameter('filter', error.message)
    throw error
  }
}
