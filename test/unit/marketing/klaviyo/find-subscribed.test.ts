import { describe, expect, it } from 'vitest'
import type { SubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'
import { aSubscription } from '../../../marketing/klaviyo/messages.js'
import { answering, json, problem, type Answer } from './answering.js'

const consents = (consent: string, canReceive = true) => ({
  marketing: { consent, can_receive_email_marketing: canReceive },
})

const member = (attributes: object) => ({ type: 'profile', id: '01MEMBER', attributes })

const members = (...found: object[]) => json(200, { data: found.map(member) })

const anna = { email: 'anna@example.com', subscriptions: { email: consents('SUBSCRIBED') } }

async function find(messages: SubscribeMessage[], ...answers: Answer[]) {
  const { klaviyo, asked, options } = answering(...answers)
  const answer = await klaviyo.findSubscribed(messages, options)
  return { asked, answer, found: 'subscribed' in answer ? [...answer.subscribed] : undefined }
}

describe('Finding who is subscribed', () => {
  it('asks for members of the list with their consent, and reads the limits', async () => {
    const message = aSubscription({ profile: { email: 'Anna@Example.com' } })
    const { asked, answer, found } = await find(
      [message],
      json(200, { data: [member(anna)] }, { 'ratelimit-remaining': '749' }),
    )
    expect(found).toEqual([message])
    expect(answer).toMatchObject({ rate: { remaining: 749 } })
    expect(asked.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'GET /api/lists/WELCOME/profiles',
    ])
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
      filter: 'any(email,["Anna@Example.com"])',
      'additional-fields[profile]': 'subscriptions',
      'fields[profile]': 'email,phone_number,subscriptions',
      'page[size]': '100',
    })
  })

  it.each<[string, object]>([
    ['never gave consent', { subscriptions: { email: consents('NEVER_SUBSCRIBED') } }],
    ['left', { subscriptions: { email: consents('UNSUBSCRIBED') } }],
    ['is suppressed', { subscriptions: { email: consents('SUBSCRIBED', false) } }],
    ['has no consents to show', { subscriptions: null }],
    ['is another', { email: 'berta@example.com' }],
  ])('does not find a member who %s', async (_, attributes) => {
    expect((await find([aSubscription()], members({ ...anna, ...attributes }))).found).toEqual([])
  })

  it('wants consent for every channel, by SMS for the number that was posted', async () => {
    const both = aSubscription({
      profile: { email: 'anna@example.com', phoneNumber: '+4366412345' },
      channels: ['email', 'sms'],
    })
    const subscriptions = { email: consents('SUBSCRIBED'), sms: consents('SUBSCRIBED') }
    const answers = [
      anna,
      { ...anna, phone_number: '+4366499999', subscriptions },
      { ...anna, phone_number: '+4366412345', subscriptions },
    ]
    const found = await Promise.all(
      answers.map(async (attributes) => (await find([both], members(attributes))).found),
    )
    expect(found).toEqual([[], [], [both]])
  })

  it('asks by pages, by consent alone when there is no list, and nothing of what cannot be sent', async () => {
    const messages = Array.from({ length: 101 }, (_, index) =>
      aSubscription({ profile: { email: `a${index}@b.at` } }),
    )
    expect((await find(messages, members(), members())).asked).toHaveLength(2)
    const { asked, found } = await find([aSubscription()], problem(404, undefined), members(anna))
    expect([found?.length, asked[1]?.url.pathname]).toEqual([1, '/api/profiles'])
    const unfit = [aSubscription({ list: '..' }), aSubscription({ channels: ['sms'] })]
    expect(await find(unfit)).toMatchObject({ asked: [], found: [] })
  })

  it.each<[Answer, object]>([
    [problem(401, undefined), { is: 'misconfigured' }],
    [problem(429, undefined), { is: 'later', costsAttempt: false }],
    [problem(400, undefined), { is: 'refused' }],
    [new Error('reset'), { is: 'later', error: { code: 'NETWORK' } }],
    [json(200, { data: 'none' }), { is: 'later', error: { code: 'UNREADABLE_ANSWER' } }],
  ])('finds nobody when a question fails (%#)', async (answer, failed) => {
    const messages = [aSubscription(), aSubscription({ list: 'VIPLIST' })]
    expect((await find(messages, members(anna), answer)).answer).toMatchObject({ failed })
  })
})
