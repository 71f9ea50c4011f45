import {
  accepted,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import type { Body } from './bodies.ts'

/** Events are taken at once and processed later; what fails then is seen by nobody. */
export const eventAnswers = ({ account, later, eventSeconds }: AnswerParts) => ({
  event({ body, receivedAt }: Call): Answer {
    const { attributes } = (body as Body<'event'>).data
    const profile = attributes.profile.data
    refuseUnknownId(account.book, profile, '/data/attributes/profile/data/id')
    later(() => account.recordEvent(profile, attributes, receivedAt), eventSeconds)
    return accepted
  },

  events({ body, receivedAt }: Call): Answer {
    const groups = (body as Body<'events'>).data.attributes['events-bulk-create'].data
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
