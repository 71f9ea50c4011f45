import { afterEach, describe, expect, it, vi } from 'vitest'
import type {
  ConsentsSince,
  ProfileConsents,
} from '../../../../src/marketing/klaviyo/find-consents.js'
import { answering, json } from './answering.js'

const email = 'ada@example.com'

interface Attributes {
  email?: string
  phone_number?: string
  updated?: string
  subscriptions?: object
}

const profile = (attributes: Attributes) => ({
  type: 'profile',
  id: '01A',
  attributes: { email, ...attributes },
})

/** What is read of a profile with these consents. */
async function consentsOf(subscriptions: object): Promise<ProfileConsents | undefined> {
  const { klaviyo, options } = answering(json(200, { data: [profile({ subscriptions })] }))
  const answer = await klaviyo.findConsents([{ email }], options)
  if ('failed' in answer) throw new Error('Nothing was read.')
  return answer.consents.get(`email:${email}`)
}

const byEmail = async (marketing: object) =>
  (await consentsOf({ email: { marketing: { consent: 'SUBSCRIBED', ...marketing } } }))?.email

describe('What Klaviyo says of a consent', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('is its end by whatever the person or the shop did, at the latest of several moments', async () => {
    // Moments are in UTC unless they say otherwise.
    vi.stubEnv('TZ', 'America/New_York')
    for (const reason of ['UNSUBSCRIBE', 'SPAM_COMPLAINT', 'USER_SUPPRESSED']) {
      const ends = ['2026-03-10T12:00:00', '2026-03-12T12:00:00+00:00', '2026-03-12T11:00:00']
      const suppression = ends.map((timestamp) => ({ reason, timestamp }))
      expect(await byEmail({ suppression })).toEqual({
        status: 'unsubscribed',
        since: new Date('2026-03-12T12:00:00Z'),
        source: reason,
      })
    }
    for (const reason of ['HARD_BOUNCE', 'INVALID_EMAIL']) {
      const suppression = [{ reason, timestamp: '2026-03-10T12:00:00+00:00' }]
      expect(await byEmail({ suppression })).toMatchObject({ status: 'subscribed' })
    }
  })

  it('is an end at the later of its moments, and a consent from when it was given', async () => {
    const moments = {
      consent_timestamp: '2026-03-01T12:00:00+00:00',
      last_updated: '2026-03-10T12:00:00+00:00',
    }
    const stopped = { ...moments, consent: 'UNSUBSCRIBED', method: 'STOP' }
    expect((await consentsOf({ sms: { marketing: stopped } }))?.sms).toEqual({
      status: 'unsubscribed',
      since: new Date('2026-03-10T12:00:00Z'),
      source: 'STOP',
    })
    expect((await byEmail(moments))?.since).toEqual(new Date('2026-03-01T12:00:00Z'))
  })

  it('is found for an email in any case', async () => {
    const { klaviyo, asked, options } = answering(json(200, { data: [profile({})] }))
    const answer = await klaviyo.findConsents([{ email: 'Ada@Example.com' }], options)
    expect(asked[0]?.url.searchParams.get('filter')).toBe(`any(email,["${email}"])`)
    expect('consents' in answer && answer.consents.has(`email:${email}`)).toBe(true)
  })
})

describe('A page of changed consents', () => {
  const from = new Date('2026-03-10T12:00:00Z')
  const read = async (since: ConsentsSince, attributes: Attributes) => {
    const document = {
      data: [profile(attributes)],
      links: { next: 'https://a.klaviyo.com/api/profiles?page%5Bcursor%5D=bmV4dA' },
    }
    const { klaviyo, asked, options } = answering(json(200, document))
    const answer = await klaviyo.changedConsents(since, options)
    if ('failed' in answer) throw new Error('Nothing was read.')
    return { ...answer, asked: asked[0]?.url.searchParams }
  }
  const suppressedAt = (...timestamps: string[]) => ({
    subscriptions: {
      email: {
        marketing: {
          consent: 'UNSUBSCRIBED',
          suppression: timestamps.map((timestamp) => ({ reason: 'UNSUBSCRIBE', timestamp })),
        },
      },
    },
  })

  it('reaches the earliest end of the last profile that the walk can be about', async () => {
    const ends = ['2026-03-09T00:00:00', '2026-03-12T00:00:00', '2026-03-11T00:00:00']
    const { readUntil, nextPage } = await read({ walk: 'suppressed', from }, suppressedAt(...ends))
    expect(readUntil).toEqual(new Date('2026-03-11T00:00:00Z'))
    expect(nextPage).toBe('bmV4dA')
  })

  it('reaches the last update', async () => {
    const { readUntil, asked } = await read(
      { walk: 'updated', from, page: 'cGFnZQ' },
      { updated: '2026-03-11T12:00:00+00:00' },
    )
    expect(readUntil).toEqual(new Date('2026-03-11T12:00:00Z'))
    expect(asked?.get('filter')).toBe(`greater-than(updated,${from.toISOString()})`)
    expect(asked?.get('sort')).toBe('updated')
    expect(asked?.get('page[cursor]')).toBe('cGFnZQ')
  })
})
