import {
  duplicateProfile,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { FilterError, parseFilter } from './filter.ts'
import type { ProfileBook, ProfileInput } from './profile-book.ts'
import { onlyFields, onlyKnown, pageOf, readChoices, readFields, wrongParameter } from './query.ts'
import { profileResource } from './resources.ts'
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
    const { searchParams, origin } = url
    onlyKnown(searchParams, [
      'additional-fields[profile]',
      'fields[profile]',
      'filter',
      'page[cursor]',
      'page[size]',
    ])
    const found = filtered(account.book, searchParams.get('filter'))
    const page = pageOf(found, { url, origin, size: { default: 20, max: 100 } })
    const show = profileView(url)
    return {
      status: 200,
      document: { data: page.entries.map((profile) => show(profile)), links: page.links },
    }
  },
})

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
function profileView({ searchParams, origin }: URL) {
  const fields = readFields(searchParams, 'profile', FIELDS)
  const more = readChoices(searchParams, 'additional-fields[profile]', [
    'subscriptions',
    'predictive_analytics',
  ])
  const withSubscriptions = more?.includes('subscriptions') === true
  return (profile: StoredProfile) =>
    onlyFields(profileResource(origin, profile, { withSubscriptions }), fields)
}

const MAX_VALUES = 100
const IDENTIFIERS = ['email', 'phone_number', 'external_id'] as const

/** The profiles that a filter finds, each once. */
function filtered(book: ProfileBook, source: string | null): StoredProfile[] {
  if (source === null) return [...book.profiles.values()]
  const { field, values } = readFilter(source)
  if (values.length > MAX_VALUES) {
    throw wrongParameter('filter', `'any' takes at most ${MAX_VALUES} values.`)
  }
  const name = IDENTIFIERS.find((known) => known === field)
  if (name === undefined && field !== 'id') {
    throw wrongParameter('filter', `Profiles cannot be filtered by '${field}'.`)
  }
  const found = values.map((value) => (name ? book.by(name, value) : book.byId(value)))
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
