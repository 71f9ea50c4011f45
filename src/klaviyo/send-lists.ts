import type { SubscribeMessage } from '../marketing/message.js'
import type { CallAnswer, CallOptions, Outcome } from '../marketing/platform.js'
import { makeCall, type CallParts } from './call.js'
import { withFitItems } from './fit-items.js'
import { listMembersBody } from './list-members-body.js'
import { refusedAs } from './refusals.js'
import { profileIndexAt } from './send-profiles.js'
import { subscribeBody, subscribeEntries } from './subscribe-body.js'
import { unfitProfile } from './unfit.js'

/** All of them to the list of the first. */
export async function sendSubscriptions(
  parts: CallParts,
  messages: readonly SubscribeMessage[],
  options: CallOptions,
): Promise<CallAnswer> {
  const list = messages[0]?.list ?? ''
  if (messages.some((message) => message.list !== list)) {
    throw new TypeError('One call subscribes to one list.')
  }
  return withFitItems(messages, messages.map(unfit), (fit) => {
    const entries = subscribeEntries(fit)
    const path = '/api/profile-subscription-bulk-create-jobs'
    return makeCall(
      parts,
      {
        request: { method: 'POST', path, body: subscribeBody(entries, list) },
        batch: {
          size: fit.length,
          itemsAt: (pointer) => entries[profileIndexAt(pointer)]?.indexes ?? [],
          messageAt: (index) => fit[index],
          list,
        },
      },
      options,
    )
  })
}

export async function sendListMembers(
  parts: CallParts,
  ids: readonly string[],
  options: CallOptions & { list: string },
): Promise<CallAnswer> {
  const { list } = options
  return withFitItems(
    ids,
    ids.map(() => unfitList(list)),
    () =>
      makeCall(
        parts,
        {
          request: {
            method: 'POST',
            path: `/api/lists/${encodeURIComponent(list)}/relationships/profiles`,
            body: listMembersBody(ids),
          },
          batch: {
            size: ids.length,
            itemsAt: (pointer) =>
              ids.flatMap((_, index) => (index === idIndexAt(pointer) ? index : [])),
            messageAt: () => undefined,
            list,
          },
        },
        options,
      ),
  )
}

const idIndexAt = (pointer: string): number =>
  Number(/^\/data\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1])

function unfit({ list, channels, profile }: SubscribeMessage): Outcome | undefined {
  if (channels.length === 0) {
    return refusedAs({ code: 'CHANNEL_MISSING', detail: 'There is no channel to subscribe.' })
  }
  if (channels.includes('sms') && profile.phoneNumber === undefined) {
    return refusedAs({ code: 'PHONE_MISSING', detail: 'The SMS channel needs a phone number.' })
  }
  if (channels.includes('email') && profile.email === undefined) {
    return refusedAs({ code: 'EMAIL_MISSING', detail: 'The email channel needs an email.' })
  }
  return unfitList(list) ?? refusedAs(unfitProfile(profile))
}

/** Anybody may post a list's id. One such as `..` would lead to another path. */
const unfitList = (list: string): Outcome | undefined =>
  /^[\w-]{1,100}$/.test(list)
    ? undefined
    : { is: 'refused', error: { code: 'LIST_INVALID', detail: 'This is no id of a list.' } }
