import * as z from 'zod/mini'
import { profileKey } from '../../core/people/profile-key.js'
import type { CallContext } from './ask-api.js'
import type { Reply } from './call-answer.js'
import { ask, askEach } from './call.js'
import { invalidSubscription } from './invalid.js'
import type { SubscribeMessage } from './message.js'

const profilesDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ email: z.nullish(z.string()) }) }),
  ),
})

/** Makes one request, or more when long emails would make its URL too long. */
export async function findProfiles(
  context: CallContext,
  emails: readonly string[],
): Reply<{ ids: ReadonlyMap<string, string> }> {
  const answer = await askEach(filtersFor('email', emails), (filter) => {
    const query = { filter, 'fields[profile]': 'email', 'page[size]': `${pageSize}` }
    return ask(context, { path: '/api/profiles', query, schema: profilesDocument })
  })
  if ('failed' in answer) return answer
  const { documents, ...rate } = answer
  const ids = documents
    .flatMap(({ data }) => data)
    .flatMap(({ id, attributes: { email } }): [string, string][] =>
      typeof email === 'string' ? [[email.toLowerCase(), id]] : [],
    )
  return { ids: new Map(ids), ...rate }
}

/** The most profiles that Klaviyo returns on a page. */
export const pageSize = 100

/** The longest filter in a URL, in characters, so that no server on the way refuses the URL. */
const filterLength = 6000

/** Splits the values into as few filters as their lengths and the page size allow. */
export function filtersFor(
  field: 'email' | 'phone_number' | 'ids',
  values: readonly string[],
): string[] {
  const filters: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const value of new Set(values)) {
    const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`
    const added = encodeURIComponent(`${quoted},`).length
    if (length + added > filterLength || filters.at(-1)?.length === pageSize) {
      filters.push([])
      length = 0
    }
    filters.at(-1)?.push(quoted)
    length += added
  }
  return filters.map((quoted) => `any(${field},[${quoted.join(',')}])`)
}

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

/** Klaviyo shows a person who has not confirmed yet like one that was never asked. */
export async function findSubscribed(
  context: CallContext,
  messages: readonly SubscribeMessage[],
): Reply<{ subscribed: ReadonlySet<SubscribeMessage> }> {
  const valid = messages.filter((message) => invalidSubscription(message) === undefined)
  const lists = [...new Set(valid.map(({ list }) => list))]
  const questions = lists
    .map((list) => ({ list, messages: valid.filter((message) => message.list === list) }))
    .flatMap((ofList) => filtersOf(ofList.messages).map((filter) => ({ ...ofList, filter })))
  const answer = await askEach(questions, ({ list, filter }) =>
    askForMembers(context, list, filter),
  )
  if ('failed' in answer) return answer
  const { documents, ...rate } = answer
  const subscribed = documents.flatMap(({ data }, place) => {
    const members = byProfileKey(data.map(({ attributes }) => attributes))
    return (questions[place]?.messages ?? []).filter((message) =>
      hasConsents(message, members.get(profileKey(message.profile))),
    )
  })
  return { subscribed: new Set(subscribed), ...rate }
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
