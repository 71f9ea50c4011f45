import { describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import {
  aCustomer,
  consentsOf,
  consentStore,
  followConsents,
  leave,
  minute,
  newEmail,
} from './consent-shop.js'

const patient = { timeout: 120_000 }

describe('More unsubscribes than one turn reads', patient, () => {
  const told: (string | undefined)[] = []
  const shop = consentStore(anyKind, { onConsentChange: ({ email }) => void told.push(email) })

  const strangers = (count: number) => Array.from({ length: count }, newEmail)

  it('go on at the page where a process ended', async () => {
    const { id, email } = await aCustomer(shop)
    await followConsents(shop)
    await leave(shop, ...strangers(2_100))
    // The last of them, on the last page.
    shop.move(1_000)
    await leave(shop, email)
    shop.move(16 * minute)
    for (let run = 0; run < 8; run++) {
      await shop.runTask()
      shop.move(5_000)
    }
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('are walked again when Klaviyo no longer knows that page', async () => {
    await leave(shop, ...strangers(1_100))
    await shop.runTask()
    const place = 'storeconnect:consents'
    const progress = await shop.payload.kv.get<{ suppressed: { open: object } }>(place)
    if (progress === null) throw new Error('Nothing was stored.')
    const open = { ...progress.suppressed.open, page: 'forgotten' }
    await shop.payload.kv.set(place, { ...progress, suppressed: { ...progress.suppressed, open } })
    const guest = newEmail()
    await leave(shop, guest)
    // So that the walk by the last update does not find the guest.
    const profile = shop.standIn.state.profileByEmail(guest)
    if (profile !== undefined) profile.updatedAt = 0
    told.splice(0)
    await followConsents(shop)
    expect(shop.log.text()).toContain('The consents could not be read and will be again')
    shop.move(15 * minute)
    await followConsents(shop)
    expect(told).toContain(guest)
  })
})
