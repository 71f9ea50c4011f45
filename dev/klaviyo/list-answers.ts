import type { SubscriberInput } from './account.ts'
import {
  accepted,
  listWithId,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { notFound } from './api-error.ts'
import { onlyFields, onlyKnown, pageOf, readChoices, readFields } from './query.ts'
import { listResource } from './resources.ts'

interface SubscriptionsBody {
  data: {
    attributes: {
      custom_source?: string | null
      historical_import?: boolean | null
      profiles: { data: SubscriberInput[] }
    }
    relationships?: { list?: { data?: { id: string } } }
  }
}

const LIST_FIELDS = ['created', 'id', 'name', 'opt_in_process', 'updated']

export const listAnswers = ({ account }: AnswerParts) => ({
  unsubscribe({ url, body }: Call): Answer {
    onlyKnown(url.searchParams, [])
    const { attributes, relationships } = (body as SubscriptionsBody).data
    const id = relationships?.list?.data?.id
    const list =
      id === undefined ? undefined : listWithId(account, id, '/data/relationships/list/data/id')
    for (const subscriber of attributes.profiles.data) account.unsubscribe(subscriber, list)
    return accepted
  },

  subscribe({ url, body }: Call): Answer {
    onlyKnown(url.searchParams, [])
    const { attributes, relationships } = (body as SubscriptionsBody).data
    const id = relationships?.list?.data?.id
    const list =
      id === undefined ? undefined : listWithId(account, id, '/data/relationships/list/data/id')
    const subscribers = attributes.profiles.data
    for (const [at, subscriber] of subscribers.entries()) {
      refuseUnknownId(account.book, subscriber, `/data/attributes/profiles/data/${at}/id`)
    }
    for (const subscriber of subscribers) {
      account.subscribe(subscriber, {
        list,
        source: attributes.custom_source ?? '',
        isHistorical: attributes.historical_import === true,
      })
    }
    return accepted
  },

  /** All or none: one unknown profile refuses the call. */
  'list-members'({ url, id, body }: Call): Answer {
    onlyKnown(url.searchParams, [])
    const list = listWithId(account, id, '/data')
    const profiles = (body as { data: { id: string }[] }).data.map((reference, at) => {
      const profile = account.book.byId(reference.id)
      if (profile) return profile
      throw notFound(`A profile with id ${reference.id} does not exist.`, `/data/${at}/id`)
    })
    for (const profile of profiles) account.addToList(list, profile)
    return { status: 204 }
  },

  lists({ url }: Call): Answer {
    onlyKnown(url.searchParams, ['fields[list]', 'page[cursor]', 'page[size]'])
    const fields = readFields(url.searchParams, 'list', LIST_FIELDS)
    const size = { default: 10, max: 10 }
    const page = pageOf([...account.lists.values()], { url, origin: url.origin, size })
    const data = page.entries.map((list) => onlyFields(listResource(url.origin, list), fields))
    return { status: 200, document: { data, links: page.links } }
  },

  list({ url, id }: Call): Answer {
    onlyKnown(url.searchParams, ['additional-fields[list]', 'fields[list]'])
    const fields = readFields(url.searchParams, 'list', [...LIST_FIELDS, 'profile_count'])
    const more = readChoices(url.searchParams, 'additional-fields[list]', ['profile_count'])
    const withProfileCount = more !== undefined
    const resource = listResource(url.origin, listWithId(account, id, '/data'), {
      withProfileCount,
    })
    return { status: 200, document: { data: onlyFields(resource, fields) } }
  },
})
