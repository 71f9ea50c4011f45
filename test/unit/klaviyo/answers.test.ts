import { describe, expect, it } from 'vitest'
import type { EventMessage } from '../../../src/klaviyo/message.js'
import type { Dispatch, Outcome } from '../../../src/klaviyo/platform.js'
import type { Profile } from '../../../src/klaviyo/profile.js'
import { anEvent, aSubscription } from '../../klaviyo/messages.js'
import { accepted, answering, apiKey, json, problem, type Answer } from './answering.js'

/** What becomes of one event when the platform answers so. */
async function single(answer: Answer, event = anEvent()): Promise<Outcome | undefined> {
  const { platform, options } = answering(answer)
  const { outcomes } = await platform.trackEvent(event, options)
  expect(outcomes).toHaveLength(1)
  return outcomes[0]
}

const people = (...names: string[]) =>
  names.map((name, index) =>
    anEvent({ profile: { email: `${name}@example.com` }, event: { uniqueId: `visit-${index}` } }),
  )

/** What becomes of each of many events. */
async function bulk(answer: Answer, events: Dispatch<EventMessage>[] = people('a', 'b', 'c')) {
  const { platform, options } = answering(answer)
  const { outcomes } = await platform.trackEvents(events, options)
  expect(outcomes).toHaveLength(events.length)
  return outcomes
}

const kinds = (outcomes: readonly (Outcome | undefined)[]) => outcomes.map((outcome) => outcome?.is)

const eventAt = (group: number, place: number, field = 'properties') =>
  `/data/attributes/events-bulk-create/data/${group}/attributes/events/data/${place}/attributes/${field}`
const profileAt = (group: number, field: string) =>
  `/data/attributes/events-bulk-create/data/${group}/attributes/profile/data/attributes/${field}`

describe('What an answer to one send means', () => {
  it.each([200, 201, 202, 204])('is delivered for %i', async (status) => {
    expect(await single(new Response(null, { status }))).toEqual({ is: 'delivered' })
  })

  it('is delivered when the yes has come and the body breaks off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    expect(await single(new Response(body, { status: 202 }))).toEqual({ is: 'delivered' })
  })

  it.each([408, 425, 500, 502, 503, 504, 524])(
    'is another try that counts for %i',
    async (status) => {
      expect(await single(problem(status, undefined))).toMatchObject({
        is: 'later',
        costsAttempt: true,
        error: { status },
      })
    },
  )

  it('is another try that counts when the network fails', async () => {
    expect(await single(new TypeError('fetch failed'))).toEqual({
      is: 'later',
      costsAttempt: true,
      error: { code: 'NETWORK', detail: 'The platform could not be reached.' },
    })
  })

  it('is another try that does not count for 429, after the wait that was asked for', async () => {
    const throttled = json(
      429,
      { errors: [{ code: 'throttled', detail: 'Slow down.' }] },
      { 'retry-after': '17' },
    )
    expect(await single(throttled)).toEqual({
      is: 'later',
      costsAttempt: false,
      afterSeconds: 17,
      error: { code: 'throttled', detail: 'Slow down.', status: 429 },
    })
  })

  it('waits a steady window when a 429 does not say how long', async () => {
    expect(await single(problem(429))).toMatchObject({ is: 'later', afterSeconds: 60 })
  })

  it('takes the wait that a 503 asks for as the least', async () => {
    const busy = new Response(null, { status: 503, headers: { 'retry-after': '120' } })
    expect(await single(busy)).toMatchObject({ is: 'later', afterSeconds: 120, costsAttempt: true })
  })

  it.each([401, 402, 403, 405, 406, 407, 410, 415])(
    'concerns the settings for %i',
    async (status) => {
      expect(await single(problem(status, '/data/'))).toMatchObject({
        is: 'misconfigured',
        error: { status },
      })
    },
  )

  it('concerns the settings when there is no such endpoint', async () => {
    expect(await single(problem(404))).toMatchObject({ is: 'misconfigured' })
  })

  it('concerns the settings when the revision is refused', async () => {
    const retired = json(400, {
      errors: [{ code: 'invalid', detail: 'Retired.', source: { parameter: 'revision' } }],
    })
    expect(await single(retired)).toMatchObject({ is: 'misconfigured' })
  })

  it.each([301, 302, 303, 304, 307, 308])(
    'follows no redirect: %i concerns the settings',
    async (status) => {
      const answer = new Response(null, { status, headers: { location: 'https://elsewhere.test' } })
      expect(await single(answer)).toMatchObject({
        is: 'misconfigured',
        error: { code: 'REDIRECTED', status },
      })
    },
  )

  it.each([200, 202, 403])('believes no page that comes with %i', async (status) => {
    const page = new Response('<html>', {
      status,
      headers: { 'content-type': 'text/html; charset=UTF-8' },
    })
    expect(await single(page)).toMatchObject({
      is: 'later',
      costsAttempt: true,
      error: { code: 'UNREADABLE_ANSWER', status },
    })
  })

  it.each([400, 409, 413, 414, 422, 431])('is refused for %i', async (status) => {
    expect(await single(problem(status, '/data'))).toMatchObject({
      is: 'refused',
      error: { code: 'invalid', detail: 'Number 0 is invalid.', status, pointer: '/data' },
    })
  })

  it('is refused for a 400 without a document', async () => {
    expect(await single(new Response('nonsense', { status: 400 }))).toEqual({
      is: 'refused',
      error: { code: 'HTTP_400', detail: 'The platform answered 400.', status: 400 },
    })
  })

  it('keeps code, detail, status and pointer of an error and nothing else', async () => {
    const answer = json(400, {
      errors: [
        {
          id: 'x',
          code: 'invalid',
          title: 'No.',
          detail: `Not with ${apiKey}.`,
          source: { pointer: '/data' },
          meta: { secret: 1 },
        },
      ],
    })
    expect(await single(answer)).toEqual({
      is: 'refused',
      error: { code: 'invalid', detail: 'Not with ….', status: 400, pointer: '/data' },
    })
  })

  it('reads what the headers say of the limits', async () => {
    const { platform, options } = answering(accepted({ 'ratelimit-remaining': '12' }))
    expect((await platform.trackEvent(anEvent(), options)).rate).toEqual({ remaining: 12 })
  })
})

describe('A phone number that the platform does not take', () => {
  const withBoth = anEvent({ profile: { email: 'a@example.com', phoneNumber: '+4366400000' } })
  const pointer = '/data/attributes/profile/data/attributes/phone_number'

  it('is left out when an email remains', async () => {
    expect(await single(problem(400, pointer), withBoth)).toMatchObject({
      is: 'retryWithout',
      message: { ...withBoth.message, profile: { email: 'a@example.com' } },
      error: { pointer },
    })
  })

  it('is recognised by its words where the pointer names no field', async () => {
    const answer = json(400, {
      errors: [
        {
          code: 'invalid',
          detail: 'Invalid phone number format.',
          source: { pointer: '/data/attributes' },
        },
      ],
    })
    expect(await single(answer, withBoth)).toMatchObject({ is: 'retryWithout' })
  })

  it('has the send refused when nothing else says who it is', async () => {
    const phoneOnly = anEvent({ profile: { phoneNumber: '+4366400000' } })
    expect(await single(problem(400, pointer), phoneOnly)).toMatchObject({ is: 'refused' })
  })

  it('has the send refused when something else is wrong as well', async () => {
    const email = '/data/attributes/profile/data/attributes/email'
    expect(await single(problem(400, pointer, email), withBoth)).toMatchObject({
      is: 'refused',
      error: { pointer: email },
    })
  })

  it('takes the SMS channel with it', async () => {
    const { platform, options } = answering(
      problem(400, '/data/attributes/profiles/data/1/attributes/phone_number'),
    )
    const profile = { email: 'b@example.com', phoneNumber: '+4366400000' }
    const messages = [
      aSubscription(),
      aSubscription({ profile, channels: ['email', 'sms'] }),
      aSubscription({ profile: { email: 'c@example.com' } }),
    ]
    expect((await platform.subscribe(messages, options)).outcomes).toMatchObject([
      { is: 'requeue' },
      { is: 'retryWithout', message: aSubscription({ profile: { email: 'b@example.com' } }) },
      { is: 'requeue' },
    ])
  })

  it('has a subscription by SMS alone refused', async () => {
    const { platform, options } = answering(
      problem(400, '/data/attributes/profiles/data/0/attributes/phone_number'),
    )
    const profile = { email: 'b@example.com', phoneNumber: '+4366400000' }
    const { outcomes } = await platform.subscribe(
      [aSubscription({ profile, channels: ['sms'] })],
      options,
    )
    expect(kinds(outcomes)).toEqual(['refused'])
  })
})

describe('Identifiers that belong to two profiles (409)', () => {
  it('are dropped from the weakest on, until none but the email is left', async () => {
    const profile = { email: 'a@example.com', phoneNumber: '+4366400000', externalId: '7' }
    const { platform, options } = answering(problem(409), problem(409), problem(409))
    const first = (await platform.saveProfile(profile, options)).outcomes[0]
    expect(first).toMatchObject({
      is: 'retryWithout',
      message: { kind: 'identify', profile: { email: 'a@example.com', externalId: '7' } },
    })
    const second = (
      await platform.saveProfile({ email: 'a@example.com', externalId: '7' }, options)
    ).outcomes[0]
    expect(second).toMatchObject({
      is: 'retryWithout',
      message: { kind: 'identify', profile: { email: 'a@example.com' } },
    })
    const third = (await platform.saveProfile({ email: 'a@example.com' }, options)).outcomes[0]
    expect(third).toMatchObject({ is: 'refused', error: { status: 409 } })
  })
})

describe('What an answer to a batch means', () => {
  it.each([500, 429, 401])('is the same for all of them for %i', async (status) => {
    const outcomes = await bulk(problem(status))
    expect(new Set(kinds(outcomes)).size).toBe(1)
  })

  it('refuses every item that is named', async () => {
    const outcomes = await bulk(problem(400, eventAt(0, 0), profileAt(2, 'email')))
    expect(outcomes).toMatchObject([
      { is: 'refused', error: { detail: 'Number 0 is invalid.' } },
      { is: 'requeue' },
      { is: 'refused', error: { detail: 'Number 1 is invalid.' } },
    ])
  })

  it.each([['/data'], [undefined], ['/data/attributes/events-bulk-create/data/9'], ['/data/9']])(
    'leaves the culprit unknown for the pointer %o',
    async (pointer) => {
      expect(kinds(await bulk(problem(400, pointer)))).toEqual([
        'culpritUnknown',
        'culpritUnknown',
        'culpritUnknown',
      ])
    },
  )

  it.each([409, 413, 422])('leaves the culprit unknown for %i', async (status) => {
    expect(kinds(await bulk(problem(status, '/data')))).toEqual([
      'culpritUnknown',
      'culpritUnknown',
      'culpritUnknown',
    ])
  })

  it('refuses the only item of a batch', async () => {
    expect(kinds(await bulk(problem(400, '/data'), people('a')))).toEqual(['refused'])
  })

  it('counts the pointers in the order of the body, where events of a profile stand together', async () => {
    const events = people('a', 'b', 'A', 'b', 'c')
    expect(kinds(await bulk(problem(400, eventAt(0, 1)), events))).toEqual([
      'requeue',
      'requeue',
      'refused',
      'requeue',
      'requeue',
    ])
    expect(kinds(await bulk(problem(400, eventAt(2, 0)), events))).toEqual([
      'requeue',
      'requeue',
      'requeue',
      'requeue',
      'refused',
    ])
  })

  it('leaves the culprit unknown among those that share a refused profile', async () => {
    const events = people('a', 'b', 'a')
    expect(kinds(await bulk(problem(400, profileAt(0, 'first_name')), events))).toEqual([
      'culpritUnknown',
      'requeue',
      'culpritUnknown',
    ])
  })

  it('tries an event alone whose unique id is held against it', async () => {
    expect(kinds(await bulk(problem(400, eventAt(1, 0, 'unique_id'))))).toEqual([
      'requeue',
      'culpritUnknown',
      'requeue',
    ])
  })

  it('leaves a bad phone number out of the item that has it', async () => {
    const events = people('a', 'b')
    const withPhone = anEvent({
      profile: { email: 'c@example.com', phoneNumber: '+4366400000' },
    })
    const outcomes = await bulk(problem(400, profileAt(2, 'phone_number')), [...events, withPhone])
    expect(outcomes).toMatchObject([
      { is: 'requeue' },
      { is: 'requeue' },
      { is: 'retryWithout', message: { kind: 'event', profile: { email: 'c@example.com' } } },
    ])
  })

  it('counts the pointers of an import by its profiles', async () => {
    const { platform, options } = answering(
      problem(400, '/data/attributes/profiles/data/1/attributes/email'),
    )
    const profiles = ['a', 'a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` }))
    expect(kinds((await platform.importProfiles(profiles, options)).outcomes)).toEqual([
      'requeue',
      'requeue',
      'refused',
      'requeue',
    ])
  })
})

describe('An import', () => {
  const profiles = [{ email: 'a@example.com' }]

  it('is delivered with the job whose errors are still to come', async () => {
    const { platform, options } = answering(json(202, { data: { id: 'JOB1' } }))
    expect((await platform.importProfiles(profiles, options)).outcomes).toEqual([
      { is: 'delivered', job: 'JOB1' },
    ])
  })

  it.each([
    ['names no job', json(202, { data: {} })],
    ['is cut off', new Response('{"data":{"id":"JO', { status: 202 })],
  ])('is made again when the answer %s', async (_what, answer) => {
    const { platform, options } = answering(answer)
    expect((await platform.importProfiles(profiles, options)).outcomes).toMatchObject([
      { is: 'later', costsAttempt: true, error: { code: 'UNREADABLE_ANSWER' } },
    ])
  })

  it('of list adds is retried as list adds', async () => {
    const { platform, options } = answering(
      problem(400, '/data/attributes/profiles/data/0/attributes/phone_number'),
    )
    const profile = { email: 'a@example.com', phoneNumber: '+4366400000' }
    const { outcomes } = await platform.importProfiles([profile], { ...options, list: 'VIPLIST' })
    expect(outcomes).toMatchObject([
      {
        is: 'retryWithout',
        message: { kind: 'list-add', list: 'VIPLIST', profile: { email: 'a@example.com' } },
      },
    ])
  })
})

describe('The deletion of a profile', () => {
  const about = (profile: Profile) => deletionOf(profile, accepted())
  const deletionOf = async (profile: Profile, answer: Answer) => {
    const { platform, asked, options } = answering(answer)
    const { outcomes } = await platform.deleteProfile(profile, options)
    return { outcomes, call: asked[0] }
  }
  const job = (attributes: object) => ({
    data: {
      type: 'data-privacy-deletion-job',
      attributes: { profile: { data: { type: 'profile', attributes } } },
    },
  })

  it('names it by one identifier, as Klaviyo refuses several', async () => {
    const [email, phoneNumber] = ['ada@example.com', '+442079460000']
    const both = await about({ email, phoneNumber })
    expect(both).toMatchObject({
      outcomes: [{ is: 'delivered' }],
      call: { method: 'POST', url: { pathname: '/api/data-privacy-deletion-jobs' } },
    })
    expect(both.call?.body).toEqual(job({ email }))
    expect((await about({ phoneNumber })).call?.body).toEqual(job({ phone_number: phoneNumber }))
  })

  it('is done when Klaviyo does not have it, and wrong settings when there is no such endpoint', async () => {
    const answers = [problem(404, '/data/attributes/profile'), problem(404)]
    const made = answers.map((answer) => deletionOf({ email: 'ada@example.com' }, answer))
    const outcomes = (await Promise.all(made)).flatMap((each) => each.outcomes)
    expect(kinds(outcomes)).toEqual(['delivered', 'misconfigured'])
  })
})

describe('A list that is gone', () => {
  const gone = (pointer = '/data') =>
    json(404, { errors: [{ code: 'not_found', detail: 'No such list.', source: { pointer } }] })

  it('refuses everything at once when a 400 points at the list', async () => {
    const { platform, options } = answering(problem(400, '/data/relationships/list/data/id'))
    const profiles = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
    const messages = profiles.map((profile) => aSubscription({ profile }))
    expect(kinds((await platform.subscribe(messages, options)).outcomes)).toEqual([
      'refused',
      'refused',
    ])
  })

  it('is not meant where the answer names a profile', async () => {
    const { platform, options } = answering(gone('/data/1/id'))
    const { outcomes } = await platform.addToList(['1', '2', '3'], { ...options, list: 'VIP' })
    expect(kinds(outcomes)).toEqual(['requeue', 'refused', 'requeue'])
  })

  it.each(['..', '.', '', 'a/b', 'a b', 'ä', 'x'.repeat(101)])(
    'is not asked for by the impossible id %o',
    async (list) => {
      const { platform, options, asked } = answering()
      const added = await platform.addToList(['1'], { ...options, list })
      const subscribed = await platform.subscribe([aSubscription({ list })], options)
      expect([added, subscribed].map(({ outcomes }) => outcomes)).toMatchObject([
        [{ is: 'refused', error: { code: 'LIST_INVALID' } }],
        [{ is: 'refused', error: { code: 'LIST_INVALID' } }],
      ])
      expect(asked).toEqual([])
    },
  )
})
