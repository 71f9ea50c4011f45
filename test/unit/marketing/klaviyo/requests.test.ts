import { describe, expect, it } from 'vitest'
import type { SubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'
import { eventBody, eventsBody } from '../../../../src/marketing/klaviyo/bodies.js'
import type { Profile } from '../../../../src/marketing/klaviyo/profile.js'
import { anEvent, aSubscription, testTime } from '../../../marketing/klaviyo/messages.js'
import { accepted, answering, json } from './answering.js'

const minutesAgo = (minutes: number) => new Date(testTime.getTime() - minutes * 60_000)

const everything: Profile = {
  email: 'anna@example.com',
  phoneNumber: '+4366412345',
  externalId: '7',
  firstName: 'Anna',
  lastName: 'Berg',
  organization: 'Tea House',
  title: 'Owner',
  locale: 'de-AT',
  image: 'https://example.com/anna.png',
  location: {
    address1: 'Gasse 1',
    address2: 'Tür 2',
    city: 'Wien',
    region: 'W',
    zip: '1010',
    country: 'AT',
    latitude: '48.2',
    longitude: '16.4',
    timezone: 'Europe/Vienna',
  },
  properties: { Tea: 'green' },
}

const attributes = {
  email: 'anna@example.com',
  phone_number: '+4366412345',
  external_id: '7',
  first_name: 'Anna',
  last_name: 'Berg',
  organization: 'Tea House',
  title: 'Owner',
  locale: 'de-AT',
  image: 'https://example.com/anna.png',
  location: everything.location,
  properties: { Tea: 'green' },
}

const metric = (name: string) => ({ data: { type: 'metric', attributes: { name } } })

describe('A single event', () => {
  const bodyOf = async (event = anEvent()) => {
    const { klaviyo, asked, options } = answering(accepted())
    await klaviyo.trackEvent(event, options)
    return asked[0]
  }

  it('is posted with its profile, metric, unique id and value', async () => {
    const event = anEvent({
      profile: everything,
      event: {
        time: '2026-07-14T08:00:00Z',
        value: 12.5,
        valueCurrency: 'EUR',
        properties: { Page: '/tea', deep: { list: [1, null, true] } },
      },
    })
    const call = await bodyOf(event)
    expect(`${call?.method} ${call?.url.href}`).toBe('POST https://klaviyo.test/api/events')
    expect(call?.body).toEqual({
      data: {
        type: 'event',
        attributes: {
          properties: { Page: '/tea', deep: { list: [1, null, true] } },
          unique_id: 'visit-1',
          time: '2026-07-14T08:00:00Z',
          value: 12.5,
          value_currency: 'EUR',
          metric: metric('Viewed Page'),
          profile: { data: { type: 'profile', attributes } },
        },
      },
    })
  })

  it.each([
    ['leaves its time to the platform', undefined, 0, undefined],
    ['still does a minute after it was accepted', undefined, 1, undefined],
    [
      'says when it was accepted once that is longer ago',
      undefined,
      1.1,
      '2026-07-15T11:58:54.000Z',
    ],
    ['keeps a posted time, early or late', '2026-07-01T00:00:00Z', 90, '2026-07-01T00:00:00Z'],
  ])('%s', async (...[, time, minutes, sent]) => {
    const event = anEvent({ event: { ...(time !== undefined && { time }) } }, minutesAgo(minutes))
    const { data } = (await bodyOf(event))?.body as { data: { attributes: { time?: string } } }
    expect(data.attributes.time).toBe(sent)
  })

  it('has no value that JSON cannot hold', async () => {
    const call = await bodyOf(anEvent({ event: { value: Number.NaN } }))
    expect(call?.body).not.toHaveProperty('data.attributes.value')
  })
})

describe('Many events', () => {
  const past = anEvent({ event: { uniqueId: 'past', backfill: true } })

  it('name a repeated occurrence once, on which the whole call would fail', async () => {
    const { klaviyo, asked, options } = answering(accepted())
    const events = [anEvent(), anEvent(), anEvent({ event: { name: 'Other' } })]
    const { outcomes } = await klaviyo.trackEvents(events, options)
    expect(outcomes.map(({ is }) => is)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(JSON.stringify(asked[0]?.body).match(/"unique_id"/g)).toHaveLength(2)
  })

  it('of long ago are marked, each group as a whole', () => {
    expect(eventBody(past, testTime).data.attributes).toMatchObject({ backfill: true })
    expect(eventBody(anEvent(), testTime).data.attributes).not.toHaveProperty('backfill')
    const { body, itemsAt } = eventsBody([past, anEvent(), past], testTime)
    const { data } = body.data.attributes['events-bulk-create']
    expect(
      data.map(({ attributes: { backfill, events } }) => [
        backfill,
        events.data[0]?.attributes.backfill,
      ]),
    ).toEqual([
      [true, true],
      [undefined, undefined],
    ])
    expect(itemsAt('/data/attributes/events-bulk-create/data/0')).toEqual([0, 2])
    expect(itemsAt('/data/attributes/events-bulk-create/data/1')).toEqual([1])
  })
})

describe('Profiles', () => {
  it('are saved alone under their documented names, and nothing else of them is sent', async () => {
    const { klaviyo, asked, options } = answering(json(201, { data: { id: '1' } }))
    const stored = {
      ...everything,
      consent: 'all',
      location: { ...everything.location, ip: '::1' },
    }
    const { outcomes } = await klaviyo.saveProfile(stored, options)
    expect(outcomes).toEqual([{ is: 'delivered' }])
    expect(asked[0]?.url.pathname).toBe('/api/profile-import')
    expect(asked[0]?.body).toEqual({ data: { type: 'profile', attributes } })
  })
})

describe('Subscriptions', () => {
  const subscribed = { marketing: { consent: 'SUBSCRIBED' } }
  const bodyOf = async (...messages: SubscribeMessage[]) => {
    const { klaviyo, asked, options } = answering(accepted())
    const { outcomes } = await klaviyo.subscribe(messages, options)
    expect(outcomes).toHaveLength(messages.length)
    expect(asked[0]?.url.pathname).toBe('/api/profile-subscription-bulk-create-jobs')
    return asked[0]?.body
  }
  const ofProfiles = (...data: object[]) => ({
    data: {
      type: 'profile-subscription-bulk-create-job',
      attributes: {
        profiles: { data: data.map((fields) => ({ type: 'profile', attributes: fields })) },
      },
      relationships: { list: { data: { type: 'list', id: 'WELCOME' } } },
    },
  })
  const phoneNumber = '+4366412345'
  const profile = { email: 'b@example.com', phoneNumber, firstName: 'B' }
  const ofB = { email: 'b@example.com', phone_number: phoneNumber }

  it('consent to the channels that were posted and to no other, with no word on the source', async () => {
    expect(await bodyOf(aSubscription(), aSubscription({ profile, channels: ['sms'] }))).toEqual(
      ofProfiles(
        { email: 'anna@example.com', subscriptions: { email: subscribed } },
        { ...ofB, subscriptions: { sms: subscribed } },
      ),
    )
  })

  it('repeated are one, so that one confirmation is sent', async () => {
    const repeated = [
      aSubscription({ profile }),
      aSubscription({ profile: { ...profile, email: 'B@example.com' } }),
      aSubscription({ profile, channels: ['sms'] }),
    ]
    expect(await bodyOf(...repeated)).toEqual(
      ofProfiles({ ...ofB, subscriptions: { email: subscribed, sms: subscribed } }),
    )
  })

  it('of two lists are no call', async () => {
    await expect(bodyOf(aSubscription(), aSubscription({ list: 'VIP' }))).rejects.toThrow(TypeError)
  })

  it.each([
    ['no channel', { channels: [] }, 'CHANNEL_MISSING'],
    ['SMS without a phone number', { channels: ['sms' as const] }, 'PHONE_MISSING'],
    [
      'email without an email',
      { profile: { phoneNumber: '+4366412345' }, channels: ['email' as const] },
      'EMAIL_MISSING',
    ],
  ])('of %s are refused without a call', async (_what, message, code) => {
    const { klaviyo, asked, options } = answering()
    const { outcomes } = await klaviyo.subscribe([aSubscription(message)], options)
    expect(outcomes).toMatchObject([{ is: 'refused', error: { code } }])
    expect(asked).toEqual([])
  })
})

describe('Looking profiles up', () => {
  const found = (...people: [id: string, email: string | null][]) =>
    json(200, {
      data: people.map(([id, email]) => ({ type: 'profile', id, attributes: { email } })),
    })

  it('escapes quotes and backslashes, so that no email ends the filter', async () => {
    const { klaviyo, asked, options } = answering(found())
    await klaviyo.findProfiles(['"),equals(id,"1\\"@example.com'], options)
    expect(asked[0]?.url.searchParams.get('filter')).toBe(
      'any(email,["\\"),equals(id,\\"1\\\\\\"@example.com"])',
    )
  })

  it('shares long emails out, so that no URL is too long', async () => {
    const emails = Array.from(
      { length: 100 },
      (_, index) => `${String(index).padStart(64, 'x')}@${'y'.repeat(185)}.com`,
    )
    const answers = Array.from({ length: 5 }, (_, index) =>
      found([`${index}`, `${index}@example.com`]),
    )
    const { klaviyo, asked, options } = answering(...answers)
    const answer = await klaviyo.findProfiles(emails, options)
    expect('ids' in answer && answer.ids.size).toBe(5)
    expect(Math.max(...asked.map(({ url }) => url.href.length))).toBeLessThan(7000)
    const filters = asked.map(({ url }) => url.searchParams.get('filter')).join()
    expect(emails.filter((email) => !filters.includes(email))).toEqual([])
  })

  it.each([
    [json(500, {}), 'later'],
    [json(429, {}), 'later'],
    [json(401, {}), 'misconfigured'],
    [json(404, {}), 'misconfigured'],
    [json(400, {}), 'refused'],
    [json(200, { data: 'x' }), 'later'],
    [new TypeError('fetch failed'), 'later'],
  ])('says what failed', async (answer, is) => {
    const { klaviyo, options } = answering(answer)
    expect(await klaviyo.findProfiles(['a@example.com'], options)).toMatchObject({
      failed: { is },
    })
  })
})
