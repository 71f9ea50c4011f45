import { describe, expect, it } from 'vitest'
import type { MessageHooks } from '../../../src/marketing/message-hooks.js'
import type { EventMessage, IdentifyMessage } from '../../../src/marketing/message.js'
import { throughHooks } from '../../../src/marketing/through-hooks.js'

const event: EventMessage = {
  kind: 'event',
  profile: { email: 'ada@example.com', properties: { Club: 'Tea' } },
  event: { name: 'Liked', uniqueId: 'liked-1', time: '2026-07-15T12:00:00.000Z', properties: {} },
}

const identify: IdentifyMessage = { kind: 'identify', profile: { email: 'ada@example.com' } }

async function pass<Told extends EventMessage | IdentifyMessage>(message: Told, hooks: unknown) {
  const lines: unknown[] = []
  const write = (fields: object, sentence: string) => void lines.push({ ...fields, sentence })
  const told = await throughHooks(message, {
    hooks: hooks as MessageHooks,
    log: { info: write, warn: write, error: write },
    about: { requestId: 'r1' },
  })
  return { told, lines, logged: JSON.stringify(lines) }
}

describe('the hooks of a message', () => {
  it('leave it as it is where there are none', async () => {
    expect((await pass(event, {})).told).toBe(event)
  })

  it('may change profile and event', async () => {
    const { told } = await pass(event, {
      beforeProfile: (profile: object) => Promise.resolve({ ...profile, title: 'Countess' }),
      beforeEvent: (given: EventMessage['event'], about: { profile: { title: string } }) => ({
        ...given,
        value: 3,
        properties: { Title: about.profile.title },
      }),
    })
    expect(told).toEqual({
      ...event,
      profile: { ...event.profile, title: 'Countess' },
      event: { ...event.event, value: 3, properties: { Title: 'Countess' } },
    })
  })

  it('may change a profile without an event', async () => {
    const { told } = await pass(identify, {
      beforeProfile: (profile: object, about: { event: unknown }) => ({
        ...profile,
        title: String(about.event),
      }),
      beforeEvent: () => false,
    })
    expect(told?.profile.title).toBe('undefined')
  })

  it.each(['beforeProfile', 'beforeEvent'])('may veto the message (%s)', async (hook) => {
    const { told, lines } = await pass(event, { [hook]: () => false })
    expect(told).toBeUndefined()
    expect(lines).toEqual([])
  })

  it('cannot change the id, by which a retry records once, nor add fields of their own', async () => {
    const { told } = await pass(event, {
      beforeEvent: (given: object) => ({ ...given, uniqueId: 'other', extra: 1 }),
      beforeProfile: (profile: object) => ({ ...profile, consent: true }),
    })
    expect(told).toEqual(event)
  })

  it('cannot change that an event is of the history, and may change all else of it', async () => {
    const past: EventMessage = {
      ...event,
      event: { ...event.event, value: 4.5, valueCurrency: 'EUR', backfill: true },
    }
    const keepAll = {
      beforeProfile: (given: object) => given,
      beforeEvent: (given: object) => given,
    }
    expect((await pass(past, keepAll)).told).toEqual(past)
    const { told } = await pass(past, {
      beforeEvent: ({ name }: EventMessage['event']) => ({ name, properties: {}, time: 'later' }),
    })
    const { uniqueId } = event.event
    const left = { name: 'Liked', uniqueId, time: 'later', properties: {}, backfill: true }
    expect(told?.event).toEqual(left)
    const now = await pass(event, {
      beforeEvent: (given: object) => ({ ...given, backfill: true }),
    })
    expect(now.told).toEqual(event)
  })

  it.each<[string, unknown]>([
    ['throws', () => Promise.reject(new Error('Ouch'))],
    ['returns nothing', () => undefined],
    ['returns true', () => true],
    ['returns a profile without anybody', () => ({ firstName: 'Ada' })],
    ['returns a profile with an email that is no text', () => ({ email: 7, firstName: 'Ada' })],
  ])('cost the message when one %s, and the log tells no personal data', async (_, hook) => {
    const { told, lines, logged } = await pass(event, { beforeProfile: hook })
    expect(told).toBeUndefined()
    expect(lines).toMatchObject([{ requestId: 'r1', event: 'Liked' }])
    expect(logged).not.toContain('ada@example.com')
  })

  it('cost the message when an event comes back without a name', async () => {
    const { told, lines } = await pass(event, { beforeEvent: () => ({ properties: {} }) })
    expect(told).toBeUndefined()
    expect(lines).toHaveLength(1)
  })

  it("have what exceeds the platform's limits left out, and the log names it", async () => {
    const { told, lines } = await pass(event, {
      beforeProfile: (profile: object) => ({
        ...profile,
        properties: { Bio: 'x'.repeat(200_000) },
      }),
    })
    expect(told?.profile.properties).toEqual({})
    expect(lines).toMatchObject([{ leftOut: [{ field: 'profile[properties][Bio]' }] }])
  })
})
