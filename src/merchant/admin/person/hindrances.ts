import type { SendWait } from '../../../marketing/delivery/send-wait.js'
import type { Channel } from '../../../marketing/klaviyo/message.js'
import type { Person, PersonAtKlaviyo, PersonSend } from '../../people/person.js'

/** Something that keeps mails from a person. */
export type Hindrance =
  | { is: 'failed'; send: PersonSend }
  | { is: 'waits'; send: PersonSend; wait: SendWait }
  | { is: 'suppressed'; address: string; reason: string; since?: string }
  | { is: 'unsubscribed'; address: string; channel: Channel; since?: string }
  | { is: 'unknown'; address: string }
  | { is: 'neverAsked'; address: string }

/** What leaves within minutes by itself is not in the way. */
const onTheirWay: ReadonlySet<SendWait['for']> = new Set(['turn', 'run', 'in-call', 'limit'])

/** What is in the way of mails, what the shop itself could not deliver first. */
export function hindrancesOf(
  { sends = [] }: Pick<Person, 'sends'>,
  atKlaviyo: PersonAtKlaviyo | undefined,
): Hindrance[] {
  const failed = sends.find(({ state }) => state === 'failed')
  const [waits] = sends.flatMap((send) =>
    send.wait && !onTheirWay.has(send.wait.for) ? [{ send, wait: send.wait }] : [],
  )
  return [
    ...(failed ? [{ is: 'failed' as const, send: failed }] : []),
    ...(waits ? [{ is: 'waits' as const, ...waits }] : []),
    ...(atKlaviyo?.is === 'known' ? hindrancesAtKlaviyo(atKlaviyo) : []),
  ]
}

const hindrancesAtKlaviyo = ({
  profiles,
  unknownAddresses,
}: Extract<PersonAtKlaviyo, { is: 'known' }>): Hindrance[] => [
  ...profiles.flatMap(({ address, suppressions, consents }): Hindrance[] => {
    const ended = consents.filter(({ status }) => status === 'unsubscribed')
    const [suppression] = suppressions
    if (suppression !== undefined) return [{ is: 'suppressed', address, ...suppression }]
    if (ended.length > 0) {
      return ended.map(({ channel, since }) => ({
        ...{ is: 'unsubscribed', address, channel },
        ...(since !== undefined && { since }),
      }))
    }
    const isAsked = consents.some(({ status }) => status === 'subscribed')
    return isAsked ? [] : [{ is: 'neverAsked', address }]
  }),
  ...unknownAddresses.map((address) => ({ is: 'unknown' as const, address })),
]
