import * as z from 'zod/mini'
import type { SubscribeMessage } from './message.js'
import type { Reply } from './call-answer.js'
import { profileKey } from '../../core/people/person-keys.js'
import { ask } from './call.js'
import type { CallContext } from './ask-api.js'
import { filtersFor, pageSize } from './find-profiles.js'
import { invalidSubscription } from './invalid.js'

const marketing = { consent: z.string(), can_receive_email_marketing: z.nullish(z.boolean()) }

const channel = z.nullish(z.object({ marketing: z.nullish(z.object(marketing)) }))

const membersDocument = z.object({
  data: z.array(
    z.object({
      attributes: z.object({
        email: z.nullish(z.string()),
        phone_number: z.nullish(z.string()),
        subscriptions: z.nullish(z.object({ email: channel, sms: channel })),
      }),
    }),
  ),
})

type Member = z.infer<typeof membersDocument>['data'][number]['attributes']

/**
 * Makes requests for each list, separately for emails and phone numbers, and more when a URL would be
 * too long. A person who has not confirmed yet is on no list and has given no consent: Klaviyo
 * shows such a profile like one that was never asked.
 */
export async function findSubscribed(
  context: CallContext,
  messages: readonly SubscribeMessage[],
): Reply<{ subscribed: ReadonlySet<SubscribeMessage> }> {
  const valid = messages.filter((message) => invalidSubscription(message) === undefined)
  const subscribed = new Set<SubscribeMessage>()
  let rate = {}
  for (const list of new Set(valid.map((message) => message.list))) {
    const ofList = valid.filter((message) => message.list === list)
    for (const filter of filtersOf(ofList)) {
      const answer = await askForMembers(context, list, filter)
      if ('failed' in answer) return answer
      const { document, ...rest } = answer
      rate = rest
      const members = byProfileKey(document.data.map(({ attributes }) => attributes))
      const hasAll = (message: SubscribeMessage) =>
        hasConsents(message, members.get(profileKey(message.profile)))
      ofList.filter(hasAll).forEach((message) => subscribed.add(message))
    }
  }
  return { subscribed, ...rate }
}

/** Filters by the same identifier as `profileKey`: the email, or else the phone number. */
function filtersOf(messages: readonly SubscribeMessage[]): string[] {
  const emails = messages.flatMap(({ profile }) => profile.email ?? [])
  const phoneNumbers = messages.flatMap(({ profile: { email, phoneNumber } }) =>
    email === undefined ? (phoneNumber ?? []) : [],
  )
  return [...filtersFor('email', emails), ...filtersFor('phone_number', phoneNumbers)]
}

async function askForMembers(context: CallContext, list: string, filter: string) {
  const query = {
    filter,
    'additional-fields[profile]': 'subscriptions',
    'fields[profile]': 'email,phone_number,subscriptions',
    'page[size]': `${pageSize}`,
  }
  const question = { query, schema: membersDocument, namesOne: true }
  const answer = await ask(context, { ...question, path: `/api/lists/${list}/profiles` })
  const isNotThere = 'failed' in answer && answer.failed.error.status === 404
  // A missing list has no members, so consent alone decides.
  return isNotThere ? ask(context, { ...question, path: '/api/profiles' }) : answer
}

function byProfileKey(members: readonly Member[]): ReadonlyMap<string, Member> {
  const byKey = new Map<string, Member>()
  for (const member of members) {
    const { email, phone_number: phoneNumber } = member
    if (phoneNumber) byKey.set(profileKey({ phoneNumber }), member)
    if (email) byKey.set(profileKey({ email }), member)
  }
  return byKey
}

/** A subscription also lifts suppressions, so a suppressed profile must still be subscribed again. */
const hasConsents = ({ channels, profile }: SubscribeMessage, member?: Member): boolean =>
  channels.every((channel) => {
    const { consent, can_receive_email_marketing: canReceive } =
      member?.subscriptions?.[channel]?.marketing ?? {}
    const isPosted = channel === 'email' || member?.phone_number === profile.phoneNumber
    return consent === 'SUBSCRIBED' && canReceive !== false && isPosted
  })
