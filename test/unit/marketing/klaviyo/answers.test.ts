import { describe, expect, it } from 'vitest'
import type { EventMessage } from '../../../../src/marketing/klaviyo/message.js'
import type { Dispatch, Outcome } from '../../../../src/marketing/klaviyo/call-answer.js'
import type { Profile } from '../../../../src/marketing/klaviyo/profile.js'
import { anEvent, aSubscription } from '../../../marketing/klaviyo/messages.js'
import { accepted, answering, apiKey, json, problem, type Answer } from './answering.js'

/** What becomes of one event when the platform answers so. */
async function single(answer: Answer, event = anEvent()): Promise<Outcome | undefined> {
  const { klaviyo, options } = answering(answer)
  const { outcomes } = await klaviyo.trackEvent(event, options)
  expect(outcomes).toHaveLength(1)
  return outcomes[0]
}

const people = (...names: string[]) =>
  names.map((name, index) =>
    anEvent({ profile: { email: `${name}@example.com` }, event: { uniqueId: `visit-${index}` } }),
  )

/** What becomes of each of many events. */
async function bulk(answer: Answer, events: Dispatch<EventMessage>[] = people('a', 'b', 'c')) {
  const { klaviyo, options } = answering(answer)
  const { outcomes } = await klaviyo.trackEvents(events, options)
  expect(outcomes).toHaveLength(events.length)
  return outcomes
}

const kinds = (outcomes: readonly (Outcome | undefined)[]) => outcomes.map((outcome) => outcome?.is)

const eventAt = (group: number, place: number, field = 'properties') =>
  `/data/attributes/events-bulk-create/data/${group}/attributes/events/data/${place}/attributes/${field}`
const profileAt = (group: number, field: string) =>
  `/data/attributes/events-bulk-create/data/${group}/attributes/profile/data/attributes/${field}`

const headers = (status: number, given: HeadersInit, body: string | null = null) =>
  new Response(body, { status, headers: given })

describe('What an answer to one send means', () => {
  const page = { 'content-type': 'text/html; charset=UTF-8' }
  const brokenOff = () =>
    new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
  const secret = `Not with ${apiKey}.`
  const throttled = { errors: [{ code: 'throttled', detail: 'Slow down.' }] }
  const retired = {
    errors: [{ code: 'invalid', detail: 'Retired.', source: { parameter: 'revision' } }],
  }

  it.each<[Answer, object]>([
    [new Response(null, { status: 204 }), { is: 'delivered' }],
    [new Response(brokenOff(), { status: 202 }), { is: 'delivered' }],
    ...[408, 425, 500, 503, 524].map((status): [Answer, object] => [
      problem(status, undefined),
      { is: 'later', costsAttempt: true, error: { status } },
    ]),
    [
      new TypeError('fetch failed'),
      {
        is: 'later',
        costsAttempt: true,
        error: { code: 'NETWORK', detail: 'Klaviyo could not be reached.' },
      },
    ],
    [
      json(429, throttled, { 'retry-after': '17' }),
      {
        is: 'later',
        costsAttempt: false,
        afterSeconds: 17,
        error: { code: 'throttled', detail: 'Slow down.', status: 429 },
      },
    ],
    [problem(429), { is: 'later', costsAttempt: false }],
    [
      headers(503, { 'retry-after': '120' }),
      { is: 'later', costsAttempt: true, afterSeconds: 120 },
    ],
    ...[401, 402, 403, 405, 406, 407, 415].map((status): [Answer, object] => [
      problem(status, '/data/'),
      { is: 'misconfigured', error: { status } },
    ]),
    [problem(404), { is: 'misconfigured' }],
    [json(400, retired), { is: 'misconfigured', error: { code: 'REVISION_RETIRED' } }],
    [problem(410), { is: 'misconfigured', error: { code: 'REVISION_RETIRED', status: 410 } }],
    ...[301, 307, 308].map((status): [Answer, object] => [
      headers(status, { location: 'https://elsewhere.test' }),
      { is: 'misconfigured', error: { code: 'REDIRECTED', status } },
    ]),
    ...[200, 403].map((status): [Answer, object] => [
      headers(status, page, '<html>'),
      { is: 'later', costsAttempt: true, error: { code: 'UNREADABLE_ANSWER', status } },
    ]),
    ...[400, 409, 413, 414, 422, 431].map((status): [Answer, object] => [
      problem(status, '/data'),
      {
        is: 'refused',
        error: { code: 'invalid', detail: 'Number 0 is invalid.', status, pointer: '/data' },
      },
    ]),
    [
      new Response('nonsense', { status: 400 }),
      {
        is: 'refused',
        error: { code: 'HTTP_400', detail: 'Klaviyo answered 400.', status: 400 },
      },
    ],
    [
      json(400, { errors: [{ code: 'invalid', title: 'No.', detail: secret, meta: { apiKey } }] }),
      { is: 'refused', error: { code: 'invalid', detail: 'Not with ….', status: 400 } },
    ],
  ])('tells what becomes of the send (%#)', async (answer, outcome) => {
    const found = await single(answer)
    expect(found).toMatchObject(outcome)
    expect(JSON.stringify(found)).not.toContain(apiKey)
  })

  it('reads what the headers say of the limits', async () => {
    const { klaviyo, options } = answering(accepted({ 'ratelimit-remaining': '12' }))
    expect((await klaviyo.trackEvent(anEvent(), options)).rate).toEqual({ remaining: 12 })
  })
})

describe('A phone number that the platform does not take', () => {
  const withBoth = anEvent({ profile: { email: 'a@example.com', phoneNumber: '+4366400000' } })
  const fields = '/data/attributes/profile/data/attributes'
  const pointer = `${fields}/phone_number`
  const profileWithBoth = { email: 'b@example.com', phoneNumber: '+4366400000' }
  const at = (place: number) => `/data/attributes/profiles/data/${place}/attributes/phone_number`
  const inWords = { code: 'invalid', detail: 'Invalid phone number format.' }

  it('is left out when an email remains, also where words name it and no pointer', async () => {
    const answers = [problem(400, pointer), json(400, { errors: [inWords] })]
    for (const answer of answers) {
      expect(await single(answer, withBoth)).toMatchObject({
        is: 'retryWithout',
        message: { ...withBoth.message, profile: { email: 'a@example.com' } },
      })
    }
  })

  it('has the send refused when nothing else says who it is, or something else is wrong', async () => {
    const phoneOnly = anEvent({ profile: { phoneNumber: '+4366400000' } })
    expect(await single(problem(400, pointer), phoneOnly)).toMatchObject({ is: 'refused' })
    const email = `${fields}/email`
    expect(await single(problem(400, pointer, email), withBoth)).toMatchObject({
      is: 'refused',
      error: { pointer: email },
    })
  })

  it('takes the SMS channel with it, and has a subscription by SMS alone refused', async () => {
    const { klaviyo, options } = answering(problem(400, at(1)), problem(400, at(0)))
    const messages = [
      aSubscription(),
      aSubscription({ profile: profileWithBoth, channels: ['email', 'sms'] }),
    ]
    expect((await klaviyo.subscribe(messages, options)).outcomes).toMatchObject([
      { is: 'requeue' },
      { is: 'retryWithout', message: aSubscription({ profile: { email: 'b@example.com' } }) },
    ])
    const bySms = aSubscription({ profile: profileWithBoth, channels: ['sms'] })
    expect(kinds((await klaviyo.subscribe([bySms], options)).outcomes)).toEqual(['refused'])
  })
})

it('Identifiers that belong to two profiles are dropped from the weakest on, down to the email', async () => {
  const email = 'a@example.com'
  const { klaviyo, options } = answering(problem(409), problem(409), problem(409))
  const save = async (profile: Profile) => (await klaviyo.saveProfile(profile, options)).outcomes
  const retried = (profile: Profile) => [
    { is: 'retryWithout', message: { kind: 'identify', profile } },
  ]
  const all = { email, phoneNumber: '+4366400000', externalId: '7' }
  expect(await save(all)).toMatchObject(retried({ email, externalId: '7' }))
  expect(await save({ email, externalId: '7' })).toMatchObject(retried({ email }))
  expect(await save({ email })).toMatchObject([{ is: 'refused', error: { status: 409 } }])
})

describe('What an answer to a batch means', () => {
  it('is the same for all of them when it is about the call', async () => {
    for (const status of [500, 429, 401]) {
      expect(new Set(kinds(await bulk(problem(status)))).size).toBe(1)
    }
  })

  const unknown = 'culpritUnknown'
  it.each<[what: string, people: string, Answer, kinds: string[]]>([
    [
      'refuses every item that is named',
      'abc',
      problem(400, eventAt(0, 0), profileAt(2, 'email')),
      ['refused', 'requeue', 'refused'],
    ],
    ...['/data', undefined, '/data/attributes/events-bulk-create/data/9', '/data/9'].map(
      (pointer): [string, string, Answer, string[]] => [
        `leaves the culprit unknown for the pointer ${pointer}`,
        'ab',
        problem(400, pointer),
        [unknown, unknown],
      ],
    ),
    ...[409, 413, 422].map((status): [string, string, Answer, string[]] => [
      `leaves the culprit unknown for ${status}`,
      'ab',
      problem(status, '/data'),
      [unknown, unknown],
    ]),
    ['refuses the only item of a batch', 'a', problem(400, '/data'), ['refused']],
    [
      'counts in the order of the body, where events of a profile stand together',
      'abAbc',
      problem(400, eventAt(0, 1)),
      ['requeue', 'requeue', 'refused', 'requeue', 'requeue'],
    ],
    [
      'counts those behind them, too',
      'abAbc',
      problem(400, eventAt(2, 0)),
      ['requeue', 'requeue', 'requeue', 'requeue', 'refused'],
    ],
    [
      'leaves the culprit unknown among those that share a refused profile',
      'aba',
      problem(400, profileAt(0, 'first_name')),
      [unknown, 'requeue', unknown],
    ],
    [
      'tries an event alone whose unique id is held against it',
      'abc',
      problem(400, eventAt(1, 0, 'unique_id')),
      ['requeue', unknown, 'requeue'],
    ],
  ])('%s', async (...[, names, answer, expected]) => {
    expect(kinds(await bulk(answer, people(...names)))).toEqual(expected)
  })

  it('leaves a bad phone number out of the item that has it', async () => {
    const profile = { email: 'c@example.com', phoneNumber: '+4366400000' }
    const events = [...people('a', 'b'), anEvent({ profile })]
    expect(await bulk(problem(400, profileAt(2, 'phone_number')), events)).toMatchObject([
      { is: 'requeue' },
      { is: 'requeue' },
      { is: 'retryWithout', message: { kind: 'event', profile: { email: 'c@example.com' } } },
    ])
  })
})

it('The deletion of a profile names it by one identifier, and is done when it is not there', async () => {
  const deletionOf = async (profile: Profile, answer: Answer) => {
    const { klaviyo, asked, options } = answering(answer)
    const { outcomes } = await klaviyo.deleteProfile(profile, options)
    return { is: kinds(outcomes), path: asked[0]?.url.pathname, body: asked[0]?.body }
  }
  const done = (attributes: object, is = 'delivered') => ({
    is: [is],
    path: '/api/data-privacy-deletion-jobs',
    body: {
      data: {
        type: 'data-privacy-deletion-job',
        attributes: { profile: { data: { type: 'profile', attributes } } },
      },
    },
  })
  const [email, phoneNumber] = ['ada@example.com', '+442079460000']
  expect(await deletionOf({ email, phoneNumber }, accepted())).toEqual(done({ email }))
  const byPhone = await deletionOf({ phoneNumber }, problem(404, '/data/attributes/profile'))
  expect(byPhone).toEqual(done({ phone_number: phoneNumber }))
  const noEndpoint = await deletionOf({ email }, problem(404))
  expect(noEndpoint).toEqual(done({ email }, 'misconfigured'))
})

describe('A list that is gone', () => {
  it('refuses everything at once when a 400 points at the list', async () => {
    const { klaviyo, options } = answering(problem(400, '/data/relationships/list/data/id'))
    const messages = [aSubscription(), aSubscription({ profile: { email: 'b@example.com' } })]
    const { outcomes } = await klaviyo.subscribe(messages, options)
    expect(kinds(outcomes)).toEqual(['refused', 'refused'])
  })

  it('is not meant where the answer names a profile', async () => {
    const { klaviyo, options } = answering(problem(404, '/data/1/id'))
    const { outcomes } = await klaviyo.addToList(['1', '2', '3'], { ...options, list: 'VIP' })
    expect(kinds(outcomes)).toEqual(['requeue', 'refused', 'requeue'])
  })

  it.each(['..', '.', '', 'a/b', 'a b', 'ä', 'x'.repeat(101)])(
    'is not asked for by the impossible id %o',
    async (list) => {
      const { klaviyo, options, asked } = answering()
      const added = await klaviyo.addToList(['1'], { ...options, list })
      const subscribed = await klaviyo.subscribe([aSubscription({ list })], options)
      expect([added, subscribed].map(({ outcomes }) => outcomes)).toMatchObject([
        [{ is: 'refused', error: { code: 'LIST_INVALID' } }],
        [{ is: 'refused', error: { code: 'LIST_INVALID' } }],
      ])
      expect(asked).toEqual([])
    },
  )
})
