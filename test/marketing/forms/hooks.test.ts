import { beforeEach, describe, expect, it } from 'vitest'
import type { MessageHooks } from '../../../src/marketing/klaviyo/klaviyo-options.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { marketingDoor } from './marketing-door.js'

const email = 'ann@shop.example'
const post = { email, 'event[name]': 'Viewed Tea', 'event[Kind]': 'Green' }

describe("The store's hooks on posts", () => {
  let hooks: MessageHooks
  const door = marketingDoor({
    hooks: {
      beforeProfile: (profile, about) => hooks.beforeProfile?.(profile, about) ?? profile,
      beforeEvent: (event, about) => hooks.beforeEvent?.(event, about) ?? event,
    },
  })
  beforeEach(() => {
    hooks = {}
  })

  it('change the profile and the event that are sent', async () => {
    hooks = {
      beforeProfile: (profile) => ({ ...profile, organization: 'Tea Club' }),
      beforeEvent: (event) => ({ ...event, properties: { ...event.properties, Shop: 'Berlin' } }),
    }
    await door.track(post)
    expect(await door.profile('event')).toMatchObject({ email, organization: 'Tea Club' })
    expect(await door.event()).toMatchObject({ properties: { Kind: 'Green', Shop: 'Berlin' } })
  })

  it('keep an event back (beforeEvent), and not the lists of the post; the answer is the same', async () => {
    hooks = { beforeEvent: () => false }
    expect((await door.track({ ...post, list: 'NEWS01', subscribe: '1' })).status).toBe(303)
    expect(await door.kinds()).toEqual(['subscribe'])
  })

  it('that throw are logged and cost their message alone', async () => {
    hooks = {
      beforeEvent: () => {
        throw new Error('broken')
      },
    }
    await door.track(post)
    await door.track({ email: 'bea@shop.example', list: 'NEWS' })
    expect(await door.kinds()).toEqual(['identify', 'list-add'])
    expect(door.log.lines().filter(({ level }) => level === 50)).toHaveLength(1)
  })

  it('are asked once about each message, and change nothing of what makes a repeat a repeat', async () => {
    const asked: string[] = []
    hooks = {
      beforeProfile: (profile) => {
        asked.push('profile')
        return { ...profile, title: `Visit ${asked.length}` }
      },
      beforeEvent: (event) => {
        asked.push('event')
        return { ...event, properties: { ...event.properties, Visit: asked.length } }
      },
    }
    for (let visit = 0; visit < 2; visit += 1) await door.track({ ...post, list: 'NEWS01' })
    expect(asked).toEqual(['profile', 'event', 'profile', 'event'])
    expect(await door.kinds()).toEqual(['event', 'list-add'])
    const [event] = await door.sends()
    expect(event?.message).toMatchObject({
      profile: { title: 'Visit 1' },
      event: { uniqueId: event?.key, properties: { Visit: 2 } },
    })
  })

  it.each(['0', '1'])(
    'keep back the whole post about a person (beforeProfile, subscribe=%s)',
    async (subscribe) => {
      hooks = { beforeProfile: () => false }
      const answer = await door.track({ ...post, list: 'NEWS01', subscribe })
      expect(answer.status).toBe(303)
      await door.track({
        'profile[phone_number]': '+12025550123',
        list: 'NEWS01',
        subscribe: '1',
      })
      expect(await door.sends()).toEqual([])
    },
  )

  it("keep a person back, and not the order's customer, who is somebody else", async () => {
    const customer = 'bob@shop.example'
    const { id } = await saveOrder(door.payload, anOrder({ customerEmail: customer }))
    const { number } = await door.payload.findByID({ collection: 'orders', id })
    await door.clear()
    hooks = { beforeProfile: (profile) => profile.email === customer && profile }
    await door.track({
      ...post,
      'event[trackOrder]': '1',
      'event[orderNumber]': String(number),
      list: 'NEWS01',
      subscribe: '1',
    })
    expect(
      (await door.sends()).map(({ message }) => [message.kind, message.profile.email]),
    ).toEqual([['event', customer]])
  })
})
