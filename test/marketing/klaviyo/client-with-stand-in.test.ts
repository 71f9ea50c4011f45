import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../dev/klaviyo/faults.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import type { EventMessage } from '../../../src/marketing/klaviyo/message.js'
import type { Outcome } from '../../../src/marketing/klaviyo/call-answer.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { anEvent, aSubscription } from './messages.js'

const world = simulatedStore(anyKind)

/** The client of the store, with the stand-in behind its network. */
function open({
  fault,
  signal = new AbortController().signal,
}: {
  fault?: Fault
  signal?: AbortSignal
} = {}) {
  const { standIn: server } = world
  if (fault !== undefined) server.faults.add(fault)
  const { state } = server
  const membersOf = (list: string) =>
    [...(state.lists.get(list)?.members.keys() ?? [])].map(
      (id) => state.profiles.get(id)?.attributes.email,
    )
  const { klaviyo } = world.parts
  return { server, state, klaviyo, membersOf, options: { apiKey: demoApiKey, signal } }
}

const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ is }) => is)
const eventOf = (profile: Profile, event: Partial<EventMessage['event']> = {}) =>
  anEvent({ profile, event }, new Date())
const [anna, berta] = ['anna@example.com', 'berta@example.com']
const phoneNumber = '+4366412345678'
const events = ['a', 'poison', 'c'].map((name) => eventOf({ email: `${name}@example.com` }))

describe('The client with the stand-in', () => {
  it('records one event a profile, name and unique id, however it comes, in their order', async () => {
    const { klaviyo, options, state } = open()
    const event = eventOf({ email: anna, firstName: 'Anna' })
    expect((await klaviyo.trackEvent(event, options)).outcomes).toEqual([{ is: 'delivered' }])
    const many = Array.from({ length: 9 }, (_, index) =>
      eventOf({ email: index % 3 === 0 ? berta : anna }, { uniqueId: `visit-${index}` }),
    )
    const { outcomes } = await klaviyo.trackEvents([event, ...many, ...many], options)
    expect(new Set(kinds(outcomes))).toEqual(new Set(['delivered']))
    const ada = state.profileByEmail(anna)
    expect(ada?.attributes).toMatchObject({ first_name: 'Anna' })
    const recorded = state.events.filter(({ profile }) => profile === ada?.id)
    expect(recorded.map(({ uniqueId }) => uniqueId).join()).toBe(
      'visit-1,visit-2,visit-4,visit-5,visit-7,visit-8',
    )
  })

  it('has the bad event of many refused, and the others taken when they come again', async () => {
    const { klaviyo, options } = open()
    const good = [eventOf({ email: anna }), eventOf({ email: berta })]
    const bad = eventOf({ email: 'c@example.com' }, { time: '1980-01-01T00:00:00Z' })
    const { outcomes } = await klaviyo.trackEvents([...good, bad], options)
    expect(kinds(outcomes)).toEqual(['requeue', 'requeue', 'refused'])
    const again = await klaviyo.trackEvents(good, options)
    expect(kinds(again.outcomes)).toEqual(['delivered', 'delivered'])
  })

  it('leaves out a phone number that is none, or somebody else’s, and keeps the rest', async () => {
    const { klaviyo, options } = open()
    await klaviyo.saveProfile({ email: anna, phoneNumber }, options)
    await klaviyo.saveProfile({ email: berta }, options)
    for (const number of ['+1', phoneNumber]) {
      const profile = { email: berta, phoneNumber: number }
      const [outcome] = (await klaviyo.saveProfile(profile, options)).outcomes
      expect(outcome).toMatchObject({ is: 'retryWithout', message: { profile: { email: berta } } })
    }
  })

  it('finds the profiles that are there, and adds them to a list by id', async () => {
    const { klaviyo, options, membersOf } = open()
    for (const email of [anna, berta]) await klaviyo.saveProfile({ email }, options)
    const found = await klaviyo.findProfiles([anna, berta, 'nobody@example.com'], options)
    const ids = 'ids' in found ? found.ids : new Map<string, string>()
    expect([...ids.keys()].sort()).toEqual([anna, berta])
    const added = await klaviyo.addToList([...ids.values()], { ...options, list: 'VIPLIST' })
    expect(kinds(added.outcomes)).toEqual(['delivered', 'delivered'])
    expect(membersOf('VIPLIST')).toEqual([anna, berta])
  })

  it('subscribes to a list, and finds who is subscribed, by email and by phone number', async () => {
    const { klaviyo, options, membersOf } = open()
    const subscribed = [
      aSubscription({ profile: { email: anna } }),
      aSubscription({ profile: { phoneNumber }, channels: ['sms'] }),
    ]
    const others = [
      aSubscription({ profile: { email: anna }, list: 'VIPLIST' }),
      aSubscription({ profile: { email: berta } }),
    ]
    await klaviyo.saveProfile({ email: berta }, options)
    const { outcomes } = await klaviyo.subscribe(subscribed, options)
    expect(kinds(outcomes)).toEqual(['delivered', 'delivered'])
    expect(membersOf('WELCOME')).toContain(anna)
    const found = await klaviyo.findSubscribed([...subscribed, ...others], options)
    expect(found).toMatchObject({ subscribed: new Set(subscribed) })
  })

  it('does not find subscribed who has yet to confirm', async () => {
    const { klaviyo, options, server } = open()
    const message = aSubscription({ list: 'NEWSLTR' })
    await klaviyo.subscribe([message], options)
    const find = () => klaviyo.findSubscribed([message], options)
    expect(await find()).toMatchObject({ subscribed: new Set() })
    for (const id of server.state.confirmations.keys()) server.people.confirm(id)
    expect(await find()).toMatchObject({ subscribed: new Set([message]) })
  })

  it('has refused what is for a list that is not there', async () => {
    const { klaviyo, options, state } = open()
    await klaviyo.saveProfile({ email: anna }, options)
    const list = 'NOLIST'
    const ofList = { ...options, list }
    const answers = [
      await klaviyo.addToList([...state.profiles.keys()], ofList),
      await klaviyo.subscribe([aSubscription({ list })], options),
    ]
    const refused = ['refused', 'refused']
    expect(answers.flatMap(({ outcomes }) => kinds(outcomes))).toEqual(refused)
  })

  it('reads the account, its lists, and how much of the steady limit is left', async () => {
    const { klaviyo, options } = open()
    const { rate } = await klaviyo.saveProfile({ email: anna }, options)
    expect(rate).toMatchObject({ limit: 750, remaining: 749 })
    expect(await klaviyo.checkAccount(options)).toEqual({
      accountName: 'Kettle & Quill',
      missingScopes: [],
    })
    const lists = await klaviyo.lists(options)
    expect(lists).toMatchObject({ isComplete: true })
    expect('lists' in lists && lists.lists.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['WELCOME', 'VIPLIST']),
    )
  })

  it('says of a wrong key that it is the settings', async () => {
    const { klaviyo, options } = open()
    const wrong = { ...options, apiKey: 'pk_of_nobody_0123456789' }
    const failed = { failed: { is: 'misconfigured' } }
    expect(await klaviyo.checkAccount(wrong)).toMatchObject(failed)
    expect(await klaviyo.lists(wrong)).toMatchObject(failed)
    const { outcomes } = await klaviyo.trackEvents(events, wrong)
    expect(new Set(kinds(outcomes))).toEqual(new Set(['misconfigured']))
    expect(JSON.stringify(outcomes)).not.toContain(wrong.apiKey)
  })
})
