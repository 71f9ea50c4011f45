import { describe, expect, it } from 'vitest'
import { mergeKey } from '../../../../src/marketing/delivery/call-item.js'
import { profileBody } from '../../../../src/marketing/klaviyo/bodies.js'
import { invalidProfile } from '../../../../src/marketing/klaviyo/invalid.js'
import { profileKey } from '../../../../src/core/people/profile-key.js'
import { throughHooks } from '../../../../src/marketing/klaviyo/through-hooks.js'
import { isExchangeId } from '../../../../src/marketing/onsite/exchange-id.js'
import { profileOf } from '../../../../src/marketing/events/person.js'

const exchangeId = 'kx-Grace'

describe('A profile that only an exchange id identifies', () => {
  it('is valid, and is sent as `_kx`', () => {
    expect(invalidProfile({ exchangeId })).toBeUndefined()
    expect(profileBody({ exchangeId })).toEqual({
      data: { type: 'profile', attributes: { _kx: exchangeId } },
    })
  })

  it('keeps its own order, and is merged with nobody else', () => {
    expect(profileKey({ exchangeId })).toBe('exchange:kx-Grace')
    expect(profileKey({ exchangeId, email: 'Ada@example.com' })).toBe('email:ada@example.com')
    expect(mergeKey({ exchangeId })).not.toBe(mergeKey({ exchangeId: 'kx-Ada' }))
  })

  it('may pass the hook beforeProfile', async () => {
    const lines: unknown[] = []
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (line: unknown) => lines.push(line),
    }
    const message = {
      kind: 'event' as const,
      profile: { exchangeId },
      event: { name: 'Updated Cart', uniqueId: '1', properties: {} },
    }
    const hooks = { beforeProfile: (profile: object) => profile }
    expect(await throughHooks(message, { hooks, log, about: {} })).toEqual(message)
    const nobody = { beforeProfile: () => ({ firstName: 'Grace' }) }
    expect(await throughHooks(message, { hooks: nobody, log, about: {} })).toBeUndefined()
    expect(lines).toHaveLength(1)
  })
})

it('The profile of a person has the exchange id without a valid email alone, as a visitor can choose it', () => {
  const email = 'ada@example.com'
  expect(profileOf({ email, exchangeId })).toEqual({ email })
  expect(profileOf({ email: 'nobody', exchangeId })).toEqual({ exchangeId })
  expect(profileOf({})).toBeUndefined()
})

it('An exchange id is a short text of the characters of base64 and a dot', () => {
  for (const text of ['a', 'Qk3-_xYz.UgxRfS', 'abc==', 'k'.repeat(200)]) {
    expect(isExchangeId(text), text).toBe(true)
  }
  for (const text of ['', 'a b', 'a\n', 'ä', '<b>', 'a/b', '%41', 'k'.repeat(201)]) {
    expect(isExchangeId(text), text).toBe(false)
  }
})
