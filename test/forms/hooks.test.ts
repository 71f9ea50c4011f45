import { describe, expect, it } from 'vitest'
import { openMarketingDoor } from './marketing-door.js'

const post = { email: 'ann@shop.example', 'event[name]': 'Viewed Tea', 'event[Kind]': 'Green' }

describe("The store's hooks on posts", () => {
  it('change the profile and the event that are sent', async () => {
    const door = openMarketingDoor({
      hooks: {
        beforeProfile: (profile) => ({ ...profile, organization: 'Tea Club' }),
        beforeEvent: (event) => ({ ...event, properties: { ...event.properties, Shop: 'Berlin' } }),
      },
    })
    await door.track(post)
    expect(door.sends.map(({ message }) => message)).toMatchObject([
      {
        kind: 'event',
        profile: { email: 'ann@shop.example', organization: 'Tea Club' },
        event: { name: 'Viewed Tea', properties: { Kind: 'Green', Shop: 'Berlin' } },
      },
    ])
  })

  it('keep an event back, and the answer is the same', async () => {
    const door = openMarketingDoor({ hooks: { beforeEvent: () => false } })
    expect((await door.track(post)).status).toBe(303)
    expect(door.sends).toEqual([])
  })

  it('that throw are logged and cost their message alone', async () => {
    const failing = () => {
      throw new Error('broken')
    }
    const door = openMarketingDoor({ hooks: { beforeEvent: failing } })
    await door.track(post)
    await door.track({ email: 'bea@shop.example', list: 'NEWS' })
    expect(door.sends.map(({ message }) => message.kind)).toEqual(['identify', 'list-add'])
    expect(door.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('change nothing of what makes a repeat a repeat', async () => {
    let calls = 0
    const door = openMarketingDoor({
      hooks: { beforeProfile: (profile) => ({ ...profile, title: `Visit ${(calls += 1)}` }) },
    })
    await door.identify(post)
    await door.identify(post)
    const [first, second] = door.sends
    expect(first?.message).not.toEqual(second?.message)
    expect(first?.key).toBe(second?.key)
  })

  it('are asked once about each message', async () => {
    const asked: string[] = []
    const door = openMarketingDoor({
      hooks: {
        beforeProfile: (profile) => {
          asked.push('profile')
          return { ...profile, title: `Visit ${asked.length}` }
        },
        beforeEvent: (event) => {
          asked.push('event')
          return { ...event, properties: { ...event.properties, Visit: asked.length } }
        },
      },
    })
    await door.track({ ...post, list: 'NEWS01' })
    expect(asked).toEqual(['profile', 'event'])
    const [event] = door.sends
    const { message, ifDuplicate } = event ?? {}
    expect(ifDuplicate?.message).toEqual({
      ...message,
      event: { ...door.event(), uniqueId: ifDuplicate?.key },
    })
    expect(message).toMatchObject({
      profile: { title: 'Visit 1' },
      event: { uniqueId: event?.key },
    })

    asked.splice(0)
    door.clear()
    await door.identify(post)
    expect(asked).toEqual(['profile'])
    expect(door.sends[0]?.ifDuplicate?.message).toEqual(door.sends[0]?.message)
  })

  it.each(['0', '1'])(
    'keep back the whole post about a person (beforeProfile, subscribe=%s)',
    async (subscribe) => {
      const door = openMarketingDoor({ hooks: { beforeProfile: () => false } })
      const answer = await door.track({ ...post, list: 'NEWS01', subscribe })
      expect(answer.status).toBe(303)
      expect(door.sends).toEqual([])
      await door.track({
        'profile[phone_number]': '+12025550123',
        list: 'NEWS01',
        subscribe: '1',
      })
      expect(door.sends).toEqual([])
    },
  )

  it("keep a person back, and not the order's customer, who is somebody else", async () => {
    const customer = { email: 'bob@shop.example' }
    const door = openMarketingDoor({
      findOrderDetails: () => Promise.resolve({ customer, properties: { OrderID: '7' } }),
      hooks: { beforeProfile: (profile) => profile.email === customer.email && profile },
    })
    await door.track({ ...post, 'event[trackOrder]': '1', list: 'NEWS01', subscribe: '1' })
    expect(door.sends.map(({ message }) => [message.kind, message.profile])).toEqual([
      ['event', customer],
    ])
  })

  it('keep an event back (beforeEvent), and not the lists of the post', async () => {
    const door = openMarketingDoor({ hooks: { beforeEvent: () => false } })
    await door.track({ ...post, list: 'NEWS01', subscribe: '1' })
    expect(door.sends.map(({ message }) => message.kind)).toEqual(['subscribe'])
  })
})
