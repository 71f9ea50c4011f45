import {
  accepted,
  listWithId,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { notFound } from './api-error.ts'
import type { Body } from './bodies.ts'
import { fieldsOf, onlyFields, pageOf } from './query.ts'
import { listResource } from './resources.ts'

export const listAnswers = ({ account }: AnswerParts) => ({
  unsubscribe({ body }: Call): Answer {
    const { attributes, relationships } = (body as Body<'unsubscribe'>).data
    const id = relationships?.list?.data?.id
    const list =
      id === undefined ? undefined : listWithId(account, id, '/data/relationships/list/data/id')
    for (const subscriber of attributes.profiles.data) account.unsubscribe(subscriber, list)
    return accepted
  },

  subscribe({ body }: Call): Answer {
    const { attributes, relationships } = (body as Body<'subscribe'>).data
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
  'list-members'({ id, body }: Call): Answer {
    const list = listWithId(account, id, '/data')
    const profiles = (body as Body<'list-members'>).data.map((reference, at) => {
      const profile = account.book.byId(reference.id)
      if (profile) return profile
      throw notFound(`A profile with id ${reference.id} does not exist.`, `/data/${at}/id`)
    })
    for (const profile of profiles) account.addToList(list, profile)
    return { status: 204 }
  },

  lists({ url }: Call): Answer {
    const fields = fieldsOf(url, 'list')
    const size = { default: 10, max: 10 }
    const page = pageOf([...account.lists.values()], { url, origin: url.origin, size })
    const data = page.entries.map((list) => onlyFields(listResource(url.origin, list), fields))
    return { status: 200, document: { data, links: page.links } }
  },

  list({ url, id }: Call): Answer {
    const fields = fieldsOf(url, 'list')
    const withProfileCount = url.searchParams.has('additional-fields[list]')
    const resource = listResource(url.origin, listWithId(account, id, '/data'), {
      withProfileCount,
    })
    return { status: 200, document: { data: onlyFields(resource, fields) } }
  },
})
