import type { EventInput } from './account.ts'
import {
  accepted,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import type { ProfileInput } from './profile-book.ts'
import { onlyKnown } from './query.ts'

interface EventBody {
  data: { attributes: EventInput & { profile: { data: ProfileInput } } }
}

interface EventsBody {
  data: {
    attributes: {
      'events-bulk-create': {
        data: {
          attributes: {
            profile: { data: ProfileInput }
            events: { data: { attributes: EventInput }[] }
          }
        }[]
      }
    }
  }
}

/** Events are taken at once and processed later; what fails then is seen by nobody. */
export const eventAnswers = ({ account, later, eventSeconds }: AnswerParts) => ({
  event({ url, body, receivedAt }: Call): Answer {
    onlyKnown(url.searchParams, [])
    const { attributes } = (body as EventBody).data
    const profile = attributes.profile.data
    refuseUnknownId(account.book, profile, '/data/attributes/profile/data/id')
    later(() => account.recordEvent(profile, attributes, receivedAt), eventSeconds)
    return accepted
  },

  events({ url, body, receivedAt }: Call): Answer {
    onlyKnown(url.searchParams, [])
    const groups = (body as EventsBody).data.attributes['events-bulk-create'].data
    for (const [at, { attributes }] of groups.entries()) {
      const pointer = `/data/attributes/events-bulk-create/data/${at}/attributes/profile/data/id`
      refuseUnknownId(account.book, attributes.profile.data, pointer)
    }
    later(() => {
      for (const { attributes } of groups) {
        for (const event of attributes.events.data) {
          account.recordEvent(attributes.profile.data, event.attributes, receivedAt)
        }
      }
    }, eventSeconds)
    return accepted
  },
})
