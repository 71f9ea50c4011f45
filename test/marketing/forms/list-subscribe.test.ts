import { expect, it, onTestFinished, vi } from 'vitest'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { anyKind, openStore } from '../../support/store.js'

it('List subscribe: profile created if needed, consent wording is not recorded', async () => {
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const call = vi.spyOn(globalThis, 'fetch')
  const store = await openStore(anyKind, {
    options: {
      marketing: {
        apiUrl: klaviyo.origin,
        delivery: 'loop',
        settings: { privateApiKey: demoApiKey },
        // Then only the subscription is sent about this person.
        beforeEvent: () => false,
      },
    },
  })
  onTestFinished(async () => {
    call.mockRestore()
    await store.close()
    await klaviyo.close()
  })
  const email = 'ada@example.com'
  const wording = 'I agree to the terms of the tea club'
  const fields = {
    ...{ email, list: 'VIPLIST', subscribe: '1', 'event[name]': 'Joined' },
    ...{ consent: wording, consent_text: wording, 'profile[consent]': wording },
    'profile[properties][$consent_method]': wording,
  }
  const browser = store.aBrowser()
  await browser.track(fields)
  const states = async () => {
    const { docs } = await store.payload.find({ collection: 'marketing-sends' })
    return docs.map((send) => (send as unknown as { state: string }).state)
  }
  await expect.poll(states).toEqual(['sent'])

  klaviyo.standIn.settle()
  const { state } = klaviyo.standIn
  expect(state.calls.map(({ name }) => name)).toEqual(['subscribe'])
  const { id } = state.profileByEmail(email) ?? {}
  expect(id).toBeDefined()
  expect([...(state.lists.get('VIPLIST')?.members.keys() ?? [])]).toEqual([id])
  const attributes = { email, subscriptions: { email: { marketing: { consent: 'SUBSCRIBED' } } } }
  const bodies = call.mock.calls.map(([, init]) => new Response(init?.body).json())
  expect(await Promise.all(bodies)).toEqual([
    {
      data: {
        type: 'profile-subscription-bulk-create-job',
        attributes: { profiles: { data: [{ type: 'profile', attributes }] } },
        relationships: { list: { data: { type: 'list', id: 'VIPLIST' } } },
      },
    },
  ])
})
