import { afterAll, beforeAll, expect, it } from 'vitest'
import { openVisitorBrowser } from '../support/visitor-browser.js'
import { openConsentShop, type ConsentShop } from './consent-shop.js'

const patient = { timeout: 240_000 }
let shop: ConsentShop

beforeAll(async () => {
  shop = await openConsentShop('sqlite')
})
afterAll(() => shop.close())

it('nobody is subscribed while Klaviyo cannot say whether they left', patient, async () => {
  const email = 'ada@example.com'
  const { standIn } = shop.klaviyo
  standIn.people.suppress(await shop.person({ email }), 'UNSUBSCRIBE')
  // One may strike the poll, which asks the same.
  standIn.faults.add({ kind: 'error', calls: ['find-profiles'], times: 2 })
  await openVisitorBrowser(shop.handle).post(
    '/actions/marketingconnect/api/track',
    {
      email,
      list: 'VIPLIST',
      subscribe: '1',
      'event[name]': 'Asked about the order',
      'event[trackOrder]': '1',
      'event[orderNumber]': 'f'.repeat(32),
    },
    { ajax: true },
  )
  await shop.deliver()
  const calls = standIn.state.calls.map(({ name }) => name)
  expect(calls.filter((name) => name === 'find-profiles').length).toBeGreaterThan(1)
  expect(calls).not.toContain('subscribe')
  const { docs } = await shop.payload.find({
    collection: 'marketing-sends',
    where: { kind: { equals: 'subscribe' } },
  })
  expect(docs).toMatchObject([{ state: 'skipped', error: { code: 'PERSON_HAS_LEFT' } }])
})
