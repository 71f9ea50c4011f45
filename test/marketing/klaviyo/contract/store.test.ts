import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openErasureShop, type ErasureShop } from '../../../merchant/erasure/erasure-shop.js'
import { anyKind } from '../../../support/store.js'
import type { ReceivedCall } from '../../../unit/marketing/klaviyo/answering.js'
import { contracts } from '../../../../dev/klaviyo/published.ts'
import { callNameOf, expectPublished } from './expect-published.js'

const name = "The platform's published documents (needs CONTRACTS_DIR)"

describe.skipIf(!contracts)(name, { timeout: 120_000 }, () => {
  let asked: Request[]
  let shop: ErasureShop

  beforeEach(async () => {
    asked = []
    shop = await openErasureShop(anyKind, {
      marketing: {
        settings: { followUnsubscribes: true, postsPerAddress: 0, postsPerNetwork: 0 },
      },
    })
    shop.network = (request, ask) => {
      asked.push(request.clone())
      return ask(request)
    }
  })
  afterEach(() => shop.close())

  const post = async (action: 'identify' | 'track', fields: Record<string, string>) => {
    const path = `/actions/marketingconnect/api/${action}`
    const answer = await shop.aBrowser().post(path, fields, { ajax: true })
    expect(await answer.json()).toBe('success')
  }

  it('accept each call that a store makes', async () => {
    const email = 'ada@example.com'
    await post('track', { email, 'event[name]': 'Looked', list: 'VIPLIST' })
    await post('identify', { email, list: 'WELCOME', subscribe: '1' })
    await shop.round()
    await post('identify', { email, subscribe: '0' })
    await shop.round()
    for (let person = 0; person < 60; person++) {
      await post('track', { email: `visitor${person}@example.com`, 'event[name]': 'Looked' })
      await post('identify', {
        email: `guest${person}@example.com`,
        'profile[first_name]': 'Guest',
      })
    }
    await shop.round()
    expect((await shop.post('/marketing-erasures/erase', { email })).status).toBe(201)
    await shop.finish()
    expect((await shop.get('/storeconnect/lists')).status).toBe(200)
    const tested = await shop.post('/globals/marketing-settings/test-connection', {})
    expect(await tested.json()).toMatchObject({ is: 'connected' })

    const calls = await Promise.all(asked.map(callOf))
    const made = new Set<string>()
    for (const call of calls) {
      made.add(callNameOf(call))
      // With a body without data, the test of a key asks for the scopes of a call.
      if (JSON.stringify(call.body) !== '{}') expectPublished(callNameOf(call), call)
    }
    const calledAtLeast = [
      'events',
      'subscribe',
      'unsubscribe',
      'event',
      'profile',
      'account',
      'lists',
      'find-profiles',
      'delete-profile',
    ]
    expect([...made]).toEqual(expect.arrayContaining(calledAtLeast))
  })
})

async function callOf(request: Request): Promise<ReceivedCall> {
  const { method, url, headers } = request
  const text = await request.text()
  return { method, url: new URL(url), headers, body: text === '' ? undefined : JSON.parse(text) }
}
