import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import type { MarketingOptions } from '../../src/options.js'
import { openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

const email = 'ada@example.com'
const subscribePath = '/api/profile-subscription-bulk-create-jobs'

describe('List subscribe', () => {
  let klaviyo: ServedStandIn
  let store: TestStore | undefined
  let call: MockInstance<typeof fetch>

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    call = vi.spyOn(globalThis, 'fetch')
  })
  afterEach(async () => {
    call.mockRestore()
    await store?.close()
    await klaviyo.close()
  })

  /** A visitor signs up, and what is sent about it arrives at the platform. */
  async function signUp(fields: Record<string, string>, marketing: MarketingOptions = {}) {
    const settings = { privateApiKey: demoApiKey }
    const options = {
      marketing: { apiUrl: klaviyo.origin, delivery: 'loop' as const, settings, ...marketing },
    }
    store = await openStore('sqlite', { options })
    const { handle, payload } = store
    const answer = await openVisitorBrowser(handle).post(
      '/actions/marketingconnect/api/track',
      { email, list: 'VIPLIST', subscribe: '1', ...fields },
      { ajax: true },
    )
    expect(await answer.json()).toBe('success')
    const states = async () => {
      const { docs } = await payload.find({ collection: 'marketing-sends' })
      return new Set(docs.map((send) => (send as unknown as { state: string }).state))
    }
    await expect.poll(states).toEqual(new Set(['sent']))
    klaviyo.standIn.settle()
    return klaviyo.standIn.state.profileByEmail(email)
  }

  it('profile created if needed', async () => {
    // Then only the subscription is sent about this person.
    const sent = await signUp({ 'event[name]': 'Joined' }, { beforeEvent: () => false })
    expect(klaviyo.standIn.state.calls.map(({ name }) => name)).toEqual(['subscribe'])
    expect(sent).toBeDefined()
    expect([...(klaviyo.standIn.state.lists.get('VIPLIST')?.members.keys() ?? [])]).toEqual([
      sent?.id,
    ])
  })

  it('consent wording is not recorded', async () => {
    const wording = 'I agree to the terms of the tea club'
    await signUp({
      consent: wording,
      consent_text: wording,
      'profile[consent]': wording,
      'profile[properties][$consent_method]': wording,
    })
    const bodies = call.mock.calls
      .filter(([url]) => new URL(String(url)).pathname === subscribePath)
      .map(([, init]) => JSON.parse(String(init?.body)) as unknown)
    const attributes = { email, subscriptions: { email: { marketing: { consent: 'SUBSCRIBED' } } } }
    expect(bodies).toEqual([
      {
        data: {
          type: 'profile-subscription-bulk-create-job',
          attributes: { profiles: { data: [{ type: 'profile', attributes }] } },
          relationships: { list: { data: { type: 'list', id: 'VIPLIST' } } },
        },
      },
    ])
    const all = call.mock.calls.map(([, init]) => String(init?.body))
    expect(all.join()).not.toContain(wording)
  })
})
