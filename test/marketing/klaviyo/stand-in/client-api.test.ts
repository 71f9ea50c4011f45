import { describe, expect, it } from 'vitest'
import { demoPublicKey } from '../../../../dev/klaviyo/stand-in.ts'
import { aStandIn } from './stand-in.fixture.js'

const url = (path: string) => `https://klaviyo.test${path}?company_id=${demoPublicKey}`

function aPage() {
  const standIn = aStandIn()
  const post = (path: string, data: unknown, headers: Record<string, string> = {}) =>
    standIn.onPages(
      new Request(url(path), {
        method: 'POST',
        headers: {
          revision: '2026-07-15',
          'content-type': 'application/vnd.api+json',
          ...headers,
        },
        body: JSON.stringify({ data }),
      }),
    )
  return { ...standIn, post }
}

const event = (attributes: Record<string, string>) => ({
  type: 'event',
  attributes: {
    properties: { ProductID: 1 },
    metric: { data: { type: 'metric', attributes: { name: 'Viewed Product' } } },
    profile: { data: { type: 'profile', attributes } },
  },
})

describe("The stand-in's client API", () => {
  it('records an event of a page without a private key', async () => {
    const { post, state } = aPage()
    const answer = await post('/client/events', event({ anonymous_id: 'a1' }))
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([202, '*'])
    expect(state.events).toMatchObject([{ metric: 'Viewed Product', properties: { ProductID: 1 } }])
  })

  it('ties the exchange id of a page to the email that it identifies', async () => {
    const { post, state } = aPage()
    await post('/client/profiles', {
      type: 'profile',
      attributes: { email: 'ada@example.com', _kx: 'kx-1' },
    })
    await post('/client/events', event({ _kx: 'kx-1' }))
    expect(state.events[0]?.profile).toBe(state.profileByEmail('ada@example.com')?.id)
  })

  it('refuses what the documents refuse, in words that the page may read', async () => {
    const { post, onPages, state } = aPage()
    const bad = await post('/client/events', event({}))
    const old = await post('/client/events', event({ _kx: 'k' }), { revision: '' })
    const keyless = await onPages(
      new Request('https://klaviyo.test/client/events', { method: 'POST', body: '{}' }),
    )
    const unknown = await post('/client/subscriptions', {})
    expect([bad.status, old.status, keyless.status, unknown.status]).toEqual([400, 400, 400, 404])
    expect(bad.headers.get('access-control-allow-origin')).toBe('*')
    expect(state.events).toEqual([])
  })

  it('serves the script', async () => {
    const { onPages } = aPage()
    const script = await onPages(new Request(url(`/onsite/js/${demoPublicKey}/klaviyo.js`)))
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(await script.text()).toContain('_klOnsite')
  })
})
