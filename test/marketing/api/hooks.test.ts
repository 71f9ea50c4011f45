import { describe, expect, it } from 'vitest'
import { openMarketingDoor } from './marketing-door.js'

const post = { email: 'ann@shop.example', 'event[name]': 'Viewed Tea', 'event[Kind]': 'Green' }

describe("The store's hooks on posts", () => {
  it('change the profile and the event that are told', async () => {
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
})
