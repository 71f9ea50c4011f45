import type { EventMessage } from '../marketing/message.js'
import type { CallAnswer, CallOptions, Dispatch, Outcome } from '../marketing/platform.js'
import { makeCall, type CallParts } from './call.js'
import { eventBody } from './event-body.js'
import { eventsAt, eventsBody, groupEvents } from './events-body.js'
import { judgeItems, withFitItems } from './fit-items.js'
import { refusedAs, suspectAs } from './refusals.js'
import { unfitEvent, unfitProfile } from './unfit.js'

type Event = Dispatch<EventMessage>

export async function sendEvent(
  parts: CallParts,
  event: Event,
  options: CallOptions,
): Promise<CallAnswer> {
  return withFitItems([event], [unfit(event)], () =>
    makeCall(
      parts,
      {
        request: { method: 'POST', path: '/api/events', body: eventBody(event, parts.now()) },
        batch: { size: 1, itemsAt: () => [0], messageAt: () => event.message },
      },
      options,
    ),
  )
}

export async function sendEvents(
  parts: CallParts,
  events: readonly Event[],
  options: CallOptions,
): Promise<CallAnswer> {
  const judged = judgeItems(events, unfit, {
    of: (fit) =>
      groupEvents(fit).map(({ profile, events: places }) => ({
        profile,
        indexes: places.flatMap(({ indexes }) => indexes),
      })),
    unfit: ({ profile }) => suspectAs(unfitProfile(profile)),
  })
  return withFitItems(events, judged, (fit) => {
    const groups = groupEvents(fit)
    const body = eventsBody(groups, parts.now())
    return makeCall(
      parts,
      {
        request: { method: 'POST', path: '/api/event-bulk-create-jobs', body },
        batch: {
          size: fit.length,
          itemsAt: (pointer) => eventsAt(groups, pointer),
          messageAt: (index) => fit[index]?.message,
        },
      },
      options,
    )
  })
}

const unfit = ({ message }: Event): Outcome | undefined => refusedAs(unfitEvent(message))
