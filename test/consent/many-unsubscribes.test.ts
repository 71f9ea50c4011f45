import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentChange } from '../../src/consent/consent-change.js'
import { anyKind } from '../support/store.js'
import { consentPollOf, minute, openConsentShop, type ConsentShop } from './consent-shop.js'

let lastPerson = 0
const newEmail = () => `person${++lastPerson}@example.com`

const patient = { timeout: 120_000 }

describe('More unsubscribes than one turn reads', patient, () => {
  let shop: ConsentShop
  const told: (string | undefined)[] = []

  beforeAll(async () => {
    const onConsentChange = ({ email }: ConsentChange) => void told.push(email)
    shop = await openConsentShop(anyKind, { marketing: { onConsentChange } })
  })
  afterAll(() => shop.close())
  beforeEach(() => shop.payload.kv.delete('storeconnect:consents'))

  const leave = async (...emails: string[]) => {
    for (const profile of await shop.people(emails)) {
      shop.klaviyo.standIn.people.suppress(profile, 'UNSUBSCRIBE')
    }
  }
  const strangers = (count: number) => Array.from({ length: count }, newEmail)
  const customer = async () => {
    const email = newEmail()
    const data = { email, password: 'secret', roles: ['customer'] }
    const { id } = await shop.payload.create({ collection: 'users', data })
    return { id, email }
  }
  const emailConsentOf = async (id: number | string) => {
    const user = await shop.payload.findByID({ collection: 'users', id })
    return (user as unknown as { emailConsent: { status: string } }).emailConsent.status
  }

  it('go on at the page where a process died', async () => {
    const { id, email } = await customer()
    await consentPollOf(shop).run()
    await leave(...strangers(2_100), email)
    const start = Date.now() + 16 * minute
    for (let process = 0; process < 8; process++) await consentPollOf(shop, { start }).turn()
    expect(await emailConsentOf(id)).toBe('unsubscribed')
  })

  it('are walked again when Klaviyo no longer knows that page', async () => {
    await leave(...strangers(1_100))
    await consentPollOf(shop).turn()
    const place = 'storeconnect:consents'
    const progress = await shop.payload.kv.get<{ suppressed: { open: object } }>(place)
    if (progress === null) throw new Error('Nothing was stored.')
    const open = { ...progress.suppressed.open, page: 'forgotten' }
    await shop.payload.kv.set(place, { ...progress, suppressed: { ...progress.suppressed, open } })
    const guest = newEmail()
    await leave(guest)
    // So that the walk by the last update does not find the guest.
    const profile = shop.klaviyo.standIn.state.profileByEmail(guest)
    if (profile !== undefined) profile.updatedAt = 0
    told.splice(0)
    const poll = consentPollOf(shop)
    await poll.run()
    expect(poll.log.map(({ sentence }) => sentence)).toEqual([
      'The consents could not be read and will be again',
    ])
    poll.pass(15 * minute)
    await poll.run()
    expect(told).toContain(guest)
  })
})
