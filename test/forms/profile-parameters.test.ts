import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformLimits } from '../../src/klaviyo/limits.js'
import { openMarketingDoor, type MarketingDoor } from './marketing-door.js'

let door: MarketingDoor
beforeAll(async () => {
  door = await openMarketingDoor()
})
afterAll(() => door.close())
beforeEach(() => door.reset())

/** Posts the fields to identify with a valid email, and gives what the platform would get. */
const identified = async (fields: Record<string, string>) => {
  const response = await door.identify({ 'profile[email]': 'ann@shop.example', ...fields })
  expect(response.status).toBe(303)
  return await door.profile()
}

describe('email', () => {
  it('email: used when profile[email] is absent', async () => {
    await door.identify({ email: 'ann@shop.example' })
    expect(await door.profile()).toEqual({ email: 'ann@shop.example' })
    expect(door.leftOut()).toEqual({})
  })

  it('email: used when profile[email] is invalid', async () => {
    await door.identify({ email: 'ann@shop.example', 'profile[email]': 'ann@shop' })
    expect(await door.profile()).toEqual({ email: 'ann@shop.example' })
    expect(door.leftOut()).toEqual({ 'profile[email]': 'not a valid email' })
  })

  it('profile[email]: goes before email', async () => {
    await door.identify({ email: 'bob@shop.example', 'profile[email]': 'ann@shop.example' })
    expect(await door.profile()).toEqual({ email: 'ann@shop.example' })
  })

  it.each(['ann', 'ann@shop', 'ann@shop.e', 'ann@shop.42', 'ann..b@shop.example'])(
    'Invalid email in identify or track: no error; the value is skipped and a warning logged (%s)',
    async (email) => {
      for (const send of [door.identify, door.track]) {
        await door.clear()
        const response = await send({ 'profile[email]': email, email })
        expect(response.status).toBe(303)
        expect(await door.sends()).toEqual([])
        expect(door.leftOut()).toEqual({
          'profile[email]': 'not a valid email',
          email: 'not a valid email',
        })
        expect(door.log.text()).not.toContain(`"${email}"`)
      }
    },
  )

  it('with neither a logged-in user nor a posted email nothing is sent', async () => {
    const response = await door.track({
      'profile[first_name]': 'Ann',
      'profile[phone_number]': '+12025550123',
      'event[name]': 'Read Blog',
      list: 'NEWS01',
    })
    expect(response.status).toBe(303)
    expect(await door.sends()).toEqual([])
  })
})

describe('profile[…]', () => {
  it('profile[first_name], profile[last_name]: name', async () => {
    expect(
      await identified({ 'profile[first_name]': ' Ann ', 'profile[last_name]': 'Özil 𝒜' }),
    ).toEqual({ email: 'ann@shop.example', firstName: 'Ann', lastName: 'Özil 𝒜' })
  })

  it('profile[phone_number]: phone number in international format', async () => {
    const { phoneNumber } = await identified({ 'profile[phone_number]': '+1 (202) 555-0123' })
    expect(phoneNumber).toBe('+12025550123')
  })

  it('A bad phone number is left out like a bad email', async () => {
    expect(await identified({ 'profile[phone_number]': '202 555 0123' })).toEqual({
      email: 'ann@shop.example',
    })
    expect(door.leftOut()).toEqual({
      'profile[phone_number]': 'not a phone number in international format',
    })
  })

  it('takes organization, title, locale and image', async () => {
    expect(
      await identified({
        'profile[organization]': 'Tea Ltd.',
        'profile[title]': 'Buyer',
        'profile[locale]': 'de-at',
        'profile[image]': 'https://shop.example/ann.png',
      }),
    ).toEqual({
      email: 'ann@shop.example',
      organization: 'Tea Ltd.',
      title: 'Buyer',
      locale: 'de-AT',
      image: 'https://shop.example/ann.png',
    })
  })

  it('leaves out a locale that is no language tag and an image that is no web address', async () => {
    expect(
      await identified({ 'profile[locale]': 'Deutsch!', 'profile[image]': 'javascript:alert(1)' }),
    ).toEqual({ email: 'ann@shop.example' })
    expect(Object.keys(door.leftOut())).toEqual(['profile[locale]', 'profile[image]'])
  })

  it('Identifiers (id, external_id, anonymous_id) and consent are never taken from a post', async () => {
    const names = ['id', 'external_id', 'anonymous_id', '_kx', 'subscriptions', 'meta', 'consent']
    const fields = Object.fromEntries(names.map((name) => [`profile[${name}]`, 'x']))
    expect(await identified({ ...fields, 'profile[externalId]': 'x' })).toEqual({
      email: 'ann@shop.example',
    })
    expect(Object.keys(door.leftOut())).toEqual(
      [...names, 'externalId'].map((name) => `profile[${name}]`),
    )
  })

  it('takes neither identifiers nor consent by the platform’s own names for properties', async () => {
    const names = ['$id', '$email', '$Phone_Number', '$consent', '$consent_method']
    const fields = Object.fromEntries(names.map((name) => [`profile[properties][${name}]`, 'x']))
    const { properties } = await identified({ ...fields, 'profile[properties][$source]': '-8' })
    expect(properties).toEqual({ $source: '-8' })
    expect(Object.keys(door.leftOut())).toEqual(Object.keys(fields))
  })

  it('Anything else at the top level is left out with a warning', async () => {
    expect(await identified({ 'profile[Shoe Size]': '44' })).toEqual({ email: 'ann@shop.example' })
    expect(door.leftOut()).toEqual({
      'profile[Shoe Size]': 'not an attribute that a post may set',
    })
  })

  it('leaves out a list or an object where one text belongs', async () => {
    expect(await identified({ 'profile[first_name][]': 'Ann', 'profile[title][a]': 'x' })).toEqual({
      email: 'ann@shop.example',
    })
    expect(door.leftOut()).toEqual({
      'profile[first_name]': 'not one text',
      'profile[title]': 'not one text',
    })
  })

  it('says nothing of a person because of an empty field', async () => {
    expect(
      await identified({
        'profile[first_name]': '',
        'profile[phone_number]': ' ',
        'profile[location][city]': '',
        'profile[properties][Size]': '',
      }),
    ).toEqual({ email: 'ann@shop.example' })
    expect(door.leftOut()).toEqual({})
  })

  it('leaves out a text longer than the platform takes', async () => {
    const { title } = await identified({
      'profile[title]': 'a'.repeat(platformLimits.textBytes + 1),
    })
    expect(title).toBeUndefined()
    expect(door.leftOut()).toEqual({ 'profile[title]': 'longer than 102400 bytes' })
  })

  it('reads the same from JSON, urlencoded and multipart bodies', async () => {
    const expected = {
      email: 'ann@shop.example',
      location: { city: 'Bonn' },
      properties: { Size: '44' },
    }
    const json = {
      profile: { email: 'ann@shop.example', location: { city: 'Bonn' }, properties: { Size: 44 } },
    }
    await door.identify(new Blob([JSON.stringify(json)], { type: 'application/json' }))
    expect(await door.profile()).toEqual(expected)

    await door.clear()
    const text =
      'profile[email]=ann@shop.example&profile[location][city]=Bonn&profile[properties][Size]=44'
    await door.identify(new Blob([text], { type: 'application/x-www-form-urlencoded' }))
    expect(await door.profile()).toEqual(expected)

    await door.clear()
    const form = new FormData()
    for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
    const multipart = new Response(form)
    const type = multipart.headers.get('content-type') ?? ''
    await door.identify(new Blob([await multipart.arrayBuffer()]), {
      headers: { 'content-type': type },
    })
    expect(await door.profile()).toEqual(expected)
  })
})

describe('profile[location][…]', () => {
  it('profile[location][city]: city; other location keys follow the marketing platform’s profile attributes', async () => {
    const location = {
      address1: 'Am Markt 1',
      address2: 'II',
      city: 'Bonn',
      region: 'NRW',
      zip: '01234',
      country: 'DE',
      latitude: '50.73',
      longitude: '-7.1',
      timezone: 'Europe/Berlin',
    }
    const fields = Object.entries(location).map(([name, value]) => [
      `profile[location][${name}]`,
      value,
    ])
    expect(
      (await identified(Object.fromEntries(fields) as Record<string, string>)).location,
    ).toEqual(location)
    expect(door.leftOut()).toEqual({})
  })

  it.each([
    ['latitude', '90.1'],
    ['latitude', 'north'],
    ['longitude', '-180.5'],
    ['longitude', '12abc'],
    ['longitude', '0x10'],
  ])('leaves out a %s of %s', async (name, value) => {
    const profile = await identified({ [`profile[location][${name}]`]: value })
    expect(profile).toEqual({ email: 'ann@shop.example' })
    expect(Object.keys(door.leftOut())).toEqual([`profile[location][${name}]`])
  })

  it('leaves out what is not part of a location', async () => {
    expect(await identified({ 'profile[location][planet]': 'Mars' })).toEqual({
      email: 'ann@shop.example',
    })
    expect(door.leftOut()).toEqual({ 'profile[location][planet]': 'not part of a location' })
  })
})

describe('profile[properties][…]', () => {
  it('profile[properties][Name]: custom profile property named Name', async () => {
    const { properties } = await identified({
      'profile[properties][Shoe Size]': '44',
      'profile[properties][Likes][]': 'tea',
      'profile[properties][Pet][name]': 'Rex',
    })
    expect(properties).toEqual({ 'Shoe Size': '44', Likes: ['tea'], Pet: { name: 'Rex' } })
  })

  it('leaves out names that reach into a prototype', async () => {
    const { properties } = await identified({
      'profile[properties][__proto__][polluted]': '1',
      'profile[properties][constructor][prototype][polluted]': '1',
      'profile[properties][Size]': '44',
      '__proto__[polluted]': '1',
    })
    expect(properties).toEqual({ Size: '44' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('takes 400 properties and leaves out the others with a warning', async () => {
    const fields = Array.from({ length: 401 }, (_, index) => [
      `profile[properties][P${index}]`,
      'x',
    ])
    const { properties } = await identified(Object.fromEntries(fields) as Record<string, string>)
    expect(Object.keys(properties ?? {})).toHaveLength(400)
    expect(door.leftOut()).toEqual({ 'profile[properties][P400]': 'more than 400 properties' })
  })
})

describe('a logged-in user', () => {
  const account = {
    email: 'ann@shop.example',
    phoneNumber: '+12025550123',
    externalId: '7',
    firstName: 'Ann',
    lastName: 'Smith',
    properties: { Tier: 'gold' },
  }

  it('the profile starts from that user’s name, email and mapped fields; posted values replace them', async () => {
    door.visitor.account = account
    await door.identify({
      'profile[first_name]': 'Anna',
      'profile[properties][Size]': '44',
    })
    expect(await door.profile()).toEqual({
      ...account,
      firstName: 'Anna',
      properties: { Tier: 'gold', Size: '44' },
    })
  })

  it('is known by the account’s email when the posted one is invalid', async () => {
    door.visitor.account = account
    await door.identify({ 'profile[email]': 'ann@shop' })
    expect(await door.profile()).toEqual(account)
    expect(door.leftOut()).toEqual({ 'profile[email]': 'not a valid email' })
  })

  it('keeps the account’s id when the posted email is the account’s in other letters', async () => {
    door.visitor.account = { ...account, email: 'ANN@shop.example' }
    await door.identify({ 'profile[email]': 'Ann@Shop.example' })
    expect(await door.profile()).toMatchObject({ email: 'Ann@Shop.example', externalId: '7' })
  })

  it('does not tie another email to the account: neither its id nor its phone number go along', async () => {
    door.visitor.account = account
    await door.identify({ 'profile[email]': 'bob@shop.example' })
    expect(await door.profile()).toEqual({
      email: 'bob@shop.example',
      firstName: 'Ann',
      lastName: 'Smith',
      properties: { Tier: 'gold' },
    })
  })

  it('leaves out an email and a phone number of the account that the platform would not take', async () => {
    door.visitor.account = { email: 'ann@localhost', phoneNumber: '030 123456', externalId: '7' }
    await door.identify({ 'profile[email]': 'ann@shop.example' })
    expect(await door.profile()).toEqual({ email: 'ann@shop.example' })
    expect(Object.keys(door.leftOut())).toEqual(['account email', 'account phone number'])

    await door.clear()
    await door.identify({})
    expect(await door.sends()).toEqual([])
  })
})

it('Any visitor can post any email address; the service updates that profile with the posted values', async () => {
  await door.identify({ 'profile[email]': 'somebody@else.example', 'profile[title]': 'Boss' })
  expect(await door.profile()).toEqual({ email: 'somebody@else.example', title: 'Boss' })
})

it('lists at most twenty left out fields in one log line, and counts the others', async () => {
  const fields = Array.from({ length: 50 }, (_, index) => [`profile[X${index}]`, 'secret'])
  await identified(Object.fromEntries(fields) as Record<string, string>)
  const warnings = door.log.lines().filter(({ level }) => level === 40)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.count).toBe(50)
  expect(warnings[0]?.leftOut).toHaveLength(20)
  expect(JSON.stringify(warnings)).not.toContain('secret')
})
