import { describe, expect, it } from 'vitest'
import { messageLimits } from '../../../src/marketing/klaviyo/limits.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { marketingDoor } from './marketing-door.js'

type Texts = Record<string, string>

const door = marketingDoor()

const email = 'ann@shop.example'
/** So many fields of this name, each with the same text. */
const fieldsOf = (names: readonly string[], text = 'x'): Texts =>
  Object.fromEntries(names.map((name) => [name, text]))
const within = (group: string, values: Texts): Texts =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [`${group}[${name}]`, text]))

describe('A posted profile', () => {
  it('takes names, organization, title, locale, image, location[…] and properties[…]', async () => {
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
    await door.identify({
      email,
      ...within('profile', {
        first_name: ' Ann ',
        last_name: 'Özil 𝒜',
        phone_number: '+1 (202) 555-0123',
        organization: 'Tea Ltd.',
        title: 'Buyer',
        locale: 'de-at',
        image: 'https://shop.example/ann.png',
      }),
      ...within('profile[location]', location),
      ...within('profile[properties]', { 'Shoe Size': '44', 'Likes][': 'tea', 'Pet][name': 'Rex' }),
    })
    expect(await door.profile()).toEqual({
      email,
      firstName: 'Ann',
      lastName: 'Özil 𝒜',
      phoneNumber: '+12025550123',
      organization: 'Tea Ltd.',
      title: 'Buyer',
      locale: 'de-AT',
      image: 'https://shop.example/ann.png',
      location,
      properties: { 'Shoe Size': '44', Likes: ['tea'], Pet: { name: 'Rex' } },
    })
    expect(door.leftOut()).toEqual({})
  })

  it('is left out with a warning where it is malformed, too long or nothing that a post may set', async () => {
    const posted = await door.identify({
      email,
      'profile[first_name][]': 'Ann',
      'profile[last_name][a]': 'x',
      'profile[phone_number]': '202 555 0123',
      'profile[title]': 'a'.repeat(messageLimits.textBytes + 1),
      'profile[locale]': 'Deutsch!',
      'profile[image]': 'javascript:alert(1)',
      'profile[Shoe Size]': '44',
      'profile[location][planet]': 'Mars',
      'profile[location][latitude]': '90.1',
      'profile[location][longitude]': '-180.5',
    })
    expect(posted.status).toBe(303)
    expect(await door.profile()).toEqual({ email })
    expect(door.leftOut()).toEqual({
      'profile[first_name]': 'not one text',
      'profile[last_name]': 'not one text',
      'profile[phone_number]': 'not a phone number in international format',
      'profile[title]': 'longer than 102400 bytes',
      'profile[locale]': expect.any(String) as string,
      'profile[image]': expect.any(String) as string,
      'profile[Shoe Size]': 'not an attribute that a post may set',
      'profile[location][planet]': 'not part of a location',
      'profile[location][latitude]': expect.any(String) as string,
      'profile[location][longitude]': expect.any(String) as string,
    })
  })

  it.each(['north', '12abc', '0x10'])('has no longitude of %s', async (text) => {
    await door.identify({ email, 'profile[location][longitude]': text })
    expect(await door.profile()).toEqual({ email })
    expect(Object.keys(door.leftOut())).toEqual(['profile[location][longitude]'])
  })

  it('says nothing of a person because of an empty field', async () => {
    const names = ['first_name', 'location][city', 'properties][Size']
    await door.identify({
      email,
      ...within('profile', fieldsOf(names, '')),
      'profile[phone_number]': ' ',
    })
    expect(await door.profile()).toEqual({ email })
    expect(door.leftOut()).toEqual({})
  })

  it('takes 400 properties and none whose name reaches into a prototype', async () => {
    const names = Array.from({ length: 401 }, (_, index) => `P${index}`)
    await door.identify({ email, ...within('profile[properties]', fieldsOf(names)) })
    expect((await door.profile()).properties).toEqual(fieldsOf(names.slice(0, 400)))
    expect(door.leftOut()).toEqual({ 'profile[properties][P400]': 'more than 400 properties' })
    await door.clear()
    await door.identify({
      email,
      'profile[properties][__proto__][polluted]': '1',
      'profile[properties][constructor][prototype][polluted]': '1',
      'profile[properties][Size]': '44',
      '__proto__[polluted]': '1',
    })
    expect((await door.profile()).properties).toEqual({ Size: '44' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('has the email of profile[email], else of email when that is absent or invalid', async () => {
    await door.identify({ email: 'bob@shop.example', 'profile[email]': email })
    expect(await door.profile()).toEqual({ email })
    expect(door.leftOut()).toEqual({})
    await door.clear()
    await door.identify({ email, 'profile[email]': 'ann@shop' })
    expect(await door.profile()).toEqual({ email })
    expect(door.leftOut()).toEqual({ 'profile[email]': 'not a valid email' })
  })

  it('Invalid email in identify or track: no error; the value is skipped and a warning logged', async () => {
    const invalid = 'ann@shop.42'
    for (const send of [door.identify, door.track]) {
      await door.clear()
      const response = await send({ 'profile[email]': invalid, email: invalid })
      expect(response.status).toBe(303)
      expect(await door.sends()).toEqual([])
      expect(door.leftOut()).toEqual({
        'profile[email]': 'not a valid email',
        email: 'not a valid email',
      })
      expect(door.log.text()).not.toContain(`"${invalid}"`)
    }
  })

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

  it('Identifiers (id, external_id, anonymous_id) and consent are never taken from a post', async () => {
    const names = ['id', 'external_id', 'anonymous_id', '_kx', 'subscriptions', 'meta', 'consent']
    const own = ['$id', '$email', '$Phone_Number', '$consent', '$consent_method']
    const forged = {
      ...within('profile', fieldsOf([...names, 'externalId'])),
      // The platform's own names for properties.
      ...within('profile[properties]', fieldsOf(own)),
    }
    await door.identify({ email, ...forged, 'profile[properties][$source]': '-8' })
    expect(await door.profile()).toEqual({ email, properties: { $source: '-8' } })
    expect(Object.keys(door.leftOut()).toSorted()).toEqual(Object.keys(forged).toSorted())
  })

  it('reads the same from JSON, urlencoded and multipart bodies', async () => {
    const parts = { email, location: { city: 'Bonn' } }
    const json = JSON.stringify({ profile: { ...parts, properties: { Size: 44 } } })
    const text = `profile[email]=${email}&profile[location][city]=Bonn&profile[properties][Size]=44`
    const form = new FormData()
    for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
    const multipart = new Response(form)
    const bodies = [
      new Blob([json], { type: 'application/json' }),
      new Blob([text], { type: 'application/x-www-form-urlencoded' }),
      new Blob([await multipart.arrayBuffer()], {
        // A Blob would write the boundary in small letters.
        type: '',
      }),
    ]
    for (const body of bodies) {
      await door.clear()
      const type = body.type === '' ? multipart.headers.get('content-type') : null
      await door.identify(body, { ...(type !== null && { headers: { 'content-type': type } }) })
      expect(await door.profile()).toEqual({ ...parts, properties: { Size: '44' } })
    }
  })

  it('Any visitor can post any email address; the service updates that profile with the posted values', async () => {
    await door.identify({ 'profile[email]': 'somebody@else.example', 'profile[title]': 'Boss' })
    expect(await door.profile()).toEqual({ email: 'somebody@else.example', title: 'Boss' })
  })

  it('lists at most twenty left out fields in one log line, and counts the others', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `X${index}`)
    await door.identify({ email, ...within('profile', fieldsOf(names, 'secret')) })
    const warnings = door.log.lines().filter(({ level }) => level === 40)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.count).toBe(50)
    expect(warnings[0]?.leftOut).toHaveLength(20)
    expect(JSON.stringify(warnings)).not.toContain('secret')
  })
})

describe('The profile of a logged-in user', () => {
  const names = { firstName: 'Ann', lastName: 'Smith', properties: { Tier: 'gold' } }
  const account = { email, phoneNumber: '+12025550123', externalId: '7', ...names }

  it.each<[title: string, fields: Texts, profile: Profile]>([
    [
      'the profile starts from that user’s name, email and mapped fields; posted values replace them',
      { 'profile[first_name]': 'Anna', 'profile[properties][Size]': '44' },
      { ...account, firstName: 'Anna', properties: { Tier: 'gold', Size: '44' } },
    ],
    [
      'is known by the account’s email when the posted one is invalid',
      { 'profile[email]': 'ann@shop' },
      account,
    ],
    [
      'keeps the account’s id when the posted email is the account’s in other letters',
      { 'profile[email]': 'Ann@Shop.example' },
      { ...account, email: 'Ann@Shop.example' },
    ],
    [
      'does not tie another email to the account: neither its id nor its phone number go along',
      { 'profile[email]': 'bob@shop.example' },
      { ...names, email: 'bob@shop.example' },
    ],
  ])('%s', async (_title, fields, profile) => {
    door.visitor.account = account
    await door.identify(fields)
    expect(await door.profile()).toEqual(profile)
  })

  it('leaves out an email and a phone number of the account that the platform would not take', async () => {
    door.visitor.account = { email: 'ann@localhost', phoneNumber: '030 123456', externalId: '7' }
    await door.identify({ email })
    expect(await door.profile()).toEqual({ email })
    expect(Object.keys(door.leftOut())).toEqual(['account email', 'account phone number'])
    await door.clear()
    await door.identify({})
    expect(await door.sends()).toEqual([])
  })
})
