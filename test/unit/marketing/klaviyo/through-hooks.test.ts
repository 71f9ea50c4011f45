import { describe, expect, it } from 'vitest'
import type { MessageHooks } from '../../../../src/marketing/klaviyo/klaviyo-options.js'
import type { EventMessage, IdentifyMessage } from '../../../../src/marketing/klaviyo/message.js'
import { throughHooks } from '../../../../src/marketing/klaviyo/through-hooks.js'

const event: EventMessage = {
  kind: 'event',
  profile: { email: 'ada@example.com', properties: { Club: 'Tea' } },
  event: { name: 'Liked', uniqueId: 'liked-1', time: '2026-07-15T12:00:00.000Z', properties: {} },
}

async function pass<Sent extends EventMessage | IdentifyMessage>(message: Sent, hooks: unknown) {
  const lines: unknown[] = []
  const write = (fields: object, sentence: string) => void lines.push({ ...fields, sentence })
  const sent = await throughHooks(message, {
    hooks: hooks as MessageHooks,
    log: { debug: write, info: write, warn: write, error: write },
    about: { requestId: 'r1' },
  })
  return { sent, lines, logged: JSON.stringify(lines) }
}

describe('the hooks of a message', () => {
  it('cannot change the id, by which a retry records once, nor add fields of their own', async () => {
    const { sent } = await pass(event, {
      beforeEvent: (given: object) => ({ ...given, uniqueId: 'other', extra: 1 }),
      beforeProfile: (profile: object) => ({ ...profile, consent: true }),
    })
    expect(sent).toEqual(event)
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
    expect((await pass(past, keepAll)).sent).toEqual(past)
    const { sent } = await pass(past, {
      beforeEvent: ({ name }: EventMessage['event']) => ({ name, properties: {}, time: 'later' }),
    })
    const { uniqueId } = event.event
    const left = { name: 'Liked', uniqueId, time: 'later', properties: {}, backfill: true }
    expect(sent?.event).toEqual(left)
    const now = await pass(event, {
      beforeEvent: (given: object) => ({ ...given, backfill: true }),
    })
    expect(now.sent).toEqual(event)
  })

  it.each<[string, unknown]>([
    ['throws', () => Promise.reject(new Error('Ouch'))],
    ['returns nothing', () => undefined],
    ['returns true', () => true],
    ['returns a profile without anybody', () => ({ firstName: 'Ada' })],
    ['returns a profile with an email that is no text', () => ({ email: 7, firstName: 'Ada' })],
    ['returns an event without a name', { beforeEvent: () => ({ properties: {} }) }],
  ])('cost the message when one %s, and the log tells no personal data', async (_, hook) => {
    const hooks = typeof hook === 'function' ? { beforeProfile: hook } : hook
    const { sent, lines, logged } = await pass(event, hooks)
    expect(sent).toBeUndefined()
    expect(lines).toMatchObject([{ requestId: 'r1', event: 'Liked' }])
    expect(logged).not.toContain('ada@example.com')
  })

  it("have what exceeds the platform's limits left out, and the log names it", async () => {
    const { sent, lines } = await pass(event, {
      beforeProfile: (profile: object) => ({
        ...profile,
        properties: { Bio: 'x'.repeat(200_000) },
      }),
    })
    expect(sent?.profile.properties).toEqual({})
    expect(lines).toMatchObject([{ leftOut: [{ field: 'profile[properties][Bio]' }] }])
  })
})
