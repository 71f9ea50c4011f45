import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvent } from '../../../src/marketing/forms/event-parameters.js'
import { countedLists, readLists } from '../../../src/marketing/forms/list-parameters.js'
import { readProfile, profileToSend } from '../../../src/marketing/forms/profile-parameters.js'
import { realEffects } from '../../../src/core/effects.js'
import { sendsOfPost } from '../../../src/marketing/forms/sends-of-post.js'
import { Problem } from '../../../src/core/errors.js'
import { readParameters, type ParameterTree } from '../../../src/core/http/parameters.js'
import {
  boundProfile,
  type JsonValue,
  type Profile,
} from '../../../src/marketing/klaviyo/profile.js'
import { messageLimits } from '../../../src/marketing/klaviyo/limits.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'

const now = new Date('2026-03-10T12:00:00Z')

/** All that the doors make of a posted tree, without the doors. */
function readPost(tree: ParameterTree) {
  const leaveOut = () => {}
  const posted = readProfile(tree, leaveOut)
  const profile = boundProfile(profileToSend({}, posted), leaveOut)
  const event = readEvent(tree, {
    now,
    timezone: 'UTC',
    eventPrefix: 'Shop',
    allowedEvents: [],
    ownOrigins: new Set(),
    hasOwnNumbers: false,
    leaveOut,
  })
  const lists = readLists(tree, { allowedLists: [], followUnsubscribes: false, leaveOut })
  return sendsOfPost(
    { posted, profile, event, order: undefined, lists },
    { now, dedupeMinutes: 2, followUnsubscribes: false, leaveOut, effects: realEffects },
  )
}

const name = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('profile', 'event', 'list', 'lists', 'email', 'subscribe'),
  },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', '') },
)
const key = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['email', 'phone_number', 'first_name', 'location', 'properties', 'locale', 'image'],
      ...['name', 'unique_id', 'value', 'value_currency', 'timestamp', 'latitude', 'city'],
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString') },
  { weight: 1, arbitrary: fc.constantFrom('', '0', '7', 'a]b', '%5B', '.') },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
)
const value = fc.oneof(
  fc.constantFrom('ann@shop.example', '+12025550123', '1', 'EUR', '2026-03-09', '12.5', 'NEWS01'),
  fc.constantFrom('', ' ', '-1e400', 'NaN', '__proto__', '\u{10ffff}', '\ud800', 'x'.repeat(200)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const parameterName = fc
  .tuple(name, fc.array(key, { maxLength: 4 }))
  .map(([first, rest]) => first + rest.map((part) => `[${part}]`).join(''))
const pairs = fc.array(fc.tuple(parameterName, value), { maxLength: 12 })

const requestOf = (body: URLSearchParams | string) =>
  new Request('https://shop.example/actions/marketingconnect/api/track', { method: 'POST', body })

const readForm = async (body: URLSearchParams | string) =>
  readPost((await readParameters(requestOf(body))).tree)

/** What a form may do: be read, or be refused by a code. */
async function readOrRefuse(body: URLSearchParams | string) {
  try {
    return await readForm(body)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    expect((error as Problem).code).toBe('PARAMETER_INVALID')
    return []
  }
}

function expectWithinLimits(json: JsonValue, depth = 0): void {
  if (typeof json === 'string') {
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(messageLimits.textBytes)
    expect(json.isWellFormed()).toBe(true)
  }
  if (typeof json === 'number') expect(Number.isFinite(json)).toBe(true)
  if (typeof json !== 'object' || json === null) return
  expect(depth).toBeLessThan(messageLimits.depth)
  for (const [member, item] of Object.entries(json)) {
    expect(['__proto__', 'constructor', 'prototype']).not.toContain(member)
    expectWithinLimits(item, depth + 1)
  }
}

function expectGoodProfile(profile: Profile): void {
  expect(Buffer.byteLength(JSON.stringify(profile))).toBeLessThan(messageLimits.profileBytes)
  expect(profile).not.toHaveProperty('externalId')
  expect(profile.email ?? profile.phoneNumber).toBeDefined()
  if (profile.phoneNumber !== undefined) expect(profile.phoneNumber).toMatch(/^\+\d{7,15}$/)
  expect(Object.keys(profile.properties ?? {}).length).toBeLessThanOrEqual(messageLimits.properties)
  expectWithinLimits(profile as JsonValue)
}

const unpolluted = Object.getOwnPropertyNames(Object.prototype).sort()

// A form costs several times what a text does.
describe('any form that is posted', { timeout: 5 * propertyTimeoutMs }, () => {
  it('is read within the platform’s limits or refused by a code, and pollutes no prototype', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (posted) => {
        const sends = await readOrRefuse(new URLSearchParams(posted))
        for (const { message } of sends) {
          expectGoodProfile(message.profile)
          if ('list' in message) expect(message.list).toMatch(/^[A-Za-z0-9]{1,64}$/)
          if (message.kind !== 'event') continue
          const { event } = message
          expect(event.name.length).toBeLessThan(messageLimits.eventNameLength)
          expect(event.name.startsWith('Shop ')).toBe(true)
          expect(event.uniqueId.length).toBeLessThanOrEqual(255)
          expect(event.valueCurrency ?? 'EUR').toMatch(/^[A-Z]{3}$/)
          expect(Number.isFinite(event.value ?? 0)).toBe(true)
          expect(event.properties).not.toHaveProperty('name')
          expectWithinLimits(event.properties)
        }
        expect(sends.length).toBeLessThanOrEqual(countedLists + 1)
      }),
      { numRuns: propertyRuns },
    )
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(unpolluted)
  })

  it('is read whatever JSON it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ profile: fc.jsonValue(), event: fc.jsonValue(), lists: fc.jsonValue() }),
        async (posted) => {
          const request = new Request('https://shop.example/actions/x', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email: 'ann@shop.example', ...posted }),
          })
          const tree = await readParameters(request).then(
            (parameters) => parameters.tree,
            (error: unknown) => {
              expect(error).toBeInstanceOf(Problem)
              return undefined
            },
          )
          if (tree === undefined) return
          for (const { message } of readPost(tree)) expectGoodProfile(message.profile)
        },
      ),
      { numRuns: Math.ceil(propertyRuns / 10) },
    )
  })

  it.each([
    ['an email', 'profile[email]', `a@${'a.'.repeat(32_000)}a`],
    ['an email of many signs', 'email', '@'.repeat(65_536)],
    ['a phone number', 'profile[phone_number]', `+${'1 '.repeat(32_000)}`],
    ['a locale', 'profile[locale]', 'de-'.repeat(21_000)],
    ['an image', 'profile[image]', `https://${'a.'.repeat(32_000)}`],
    ['a latitude', 'profile[location][latitude]', '1'.repeat(65_536)],
    ['a value', 'event[value]', `${'1'.repeat(65_536)}x`],
    ['a currency', 'event[value_currency]', 'A'.repeat(65_536)],
    ['a timestamp', 'event[timestamp]', `2026-03-10T${'1'.repeat(65_536)}`],
    ['a list', 'list', 'A'.repeat(65_536)],
    ['white space', 'event[unique_id]', ' '.repeat(65_536)],
  ])('is read when %s is 64 KB long', async (_what, field, text) => {
    const body = new URLSearchParams({ 'event[name]': 'Sent', 'event[email]': 'x' })
    body.append('profile[phone_number]', '+12025550123')
    body.set(field, text)
    if (field !== 'email') body.set('email', 'ann@shop.example')
    const sends = await readForm(body)
    expect(sends.length).toBe(field === 'email' ? 0 : 1)
    expect(JSON.stringify(sends.map(({ message }) => message)).length).toBeLessThan(
      1000 + (field.includes('image') ? 65_536 : 0),
    )
  })
})
