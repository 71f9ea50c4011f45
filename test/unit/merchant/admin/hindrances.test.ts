import { describe, expect, it } from 'vitest'
import { hindrancesOf } from '../../../../src/merchant/admin/person/hindrances.js'
import type {
  KlaviyoProfile,
  PersonAtKlaviyo,
  PersonSend,
} from '../../../../src/merchant/people/person.js'

const address = 'ada@example.com'
const at = '2026-11-02T10:00:00.000Z'

const aSend = (changes: Partial<PersonSend>): PersonSend => ({
  id: 1,
  kind: 'event',
  metric: 'Placed Order',
  state: 'sent',
  at,
  ...changes,
})

const known = (
  profile: Partial<KlaviyoProfile>,
  unknownAddresses: string[] = [],
): PersonAtKlaviyo => ({
  is: 'known',
  profiles: [
    {
      id: '01A',
      address,
      consents: [{ channel: 'email', status: 'subscribed', since: at }],
      suppressions: [],
      ...profile,
    },
  ],
  unknownAddresses,
})

describe('What stands in the way of mails to a person', () => {
  it('is nothing where every send arrived and Klaviyo has a consent', () => {
    expect(hindrancesOf({ sends: [aSend({})] }, known({}))).toEqual([])
    expect(hindrancesOf({}, undefined)).toEqual([])
    expect(hindrancesOf({ sends: [] }, { is: 'unknown', problem: 'no answer' })).toEqual([])
  })

  it('is first what the shop could not deliver, the newest', () => {
    const failed = aSend({ id: 3, state: 'failed', reason: 'Refused' })
    const older = aSend({ id: 2, state: 'failed', reason: 'Refused too' })
    const wait = { for: 'outage' } as const
    const waits = aSend({ id: 4, state: 'queued', wait })
    const leaving = aSend({ id: 5, state: 'queued', wait: { for: 'turn' } })
    const suppressions = [{ reason: 'HARD_BOUNCE', since: at }]
    expect(
      hindrancesOf({ sends: [leaving, waits, failed, older] }, known({ suppressions })),
    ).toEqual([
      { is: 'failed', send: failed },
      { is: 'waits', send: waits, wait },
      { is: 'suppressed', address, reason: 'HARD_BOUNCE', since: at },
    ])
  })

  it('is the end of a subscription, the lack of one, and an address that Klaviyo does not have', () => {
    const left = known({ consents: [{ channel: 'sms', status: 'unsubscribed', since: at }] })
    expect(hindrancesOf({}, left)).toEqual([
      { is: 'unsubscribed', address, channel: 'sms', since: at },
    ])
    const never = known({ consents: [{ channel: 'email', status: 'never' }] }, ['b@example.com'])
    expect(hindrancesOf({}, never)).toEqual([
      { is: 'neverAsked', address },
      { is: 'unknown', address: 'b@example.com' },
    ])
  })
})
