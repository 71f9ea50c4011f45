import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CallName } from '../../../../../src/marketing/klaviyo/limits.js'
import { createAccount, type Account } from '../../../../../src/mounts/cli/klaviyo/account.js'
import { serveAccount } from '../../../../../src/mounts/cli/klaviyo/serve-account.js'

const key = 'storeconnect-try-key'

let account: Account
let served: Awaited<ReturnType<typeof serveAccount>>

beforeEach(async () => {
  account = createAccount(() => new Date('2026-11-02T10:00:00Z'))
  served = await serveAccount(account, key)
})
afterEach(() => served.close())

const call = (path: string, { apiKey = key, body }: { apiKey?: string; body?: unknown } = {}) =>
  fetch(new URL(path, served.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Klaviyo-API-Key ${apiKey}` },
    body: body === undefined ? null : JSON.stringify(body),
  })

/** The answer to a request that names another host, as a page of another website would. */
const askAs = async (host: string) => {
  const asked = request(served.url, { headers: { host } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, said: await text(answer) }
}

const person = (attributes: object) => ({ data: { type: 'profile', attributes } })

it('answers the page only by its own name', async () => {
  await call('/api/profile-import', { body: person({ email: 'ada@example.com' }) })
  const { status, said } = await askAs('rebound.example')
  expect(status).toBe(421)
  expect(said).not.toContain('ada@example.com')
  expect(await askAs(`127.0.0.1:${served.port}`)).toMatchObject({ status: 200 })
})

it('takes calls with its key alone, and no body beyond the limit of Klaviyo', async () => {
  const body = person({ email: 'ada@example.com' })
  expect((await call('/api/profile-import', { apiKey: 'pk_other', body })).status).toBe(401)
  const large = person({ email: 'ada@example.com', title: 'x'.repeat(6_000_000) })
  const refused = await call('/api/profile-import', { body: large }).then(
    ({ status }) => status,
    // The server may have ended the connection while the rest was on its way.
    () => 413,
  )
  expect(refused).toBe(413)
  expect(account.profiles).toEqual([])
})

it('shows what came escaped, and lets the browser load nothing else', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const event = {
    data: {
      type: 'event',
      attributes: {
        metric: { data: { type: 'metric', attributes: { name } } },
        properties: { note: '</pre><script>' },
        unique_id: '1',
        profile: person({ email: '"><b>@example.com' }),
      },
    },
  }
  expect((await call('/api/events', { body: event })).status).toBe(202)
  expect((await call('/api/events', { body: event })).status).toBe(202)
  expect(account.events).toHaveLength(1)
  const page = await fetch(served.url)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const html = await page.text()
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).not.toMatch(/<img|<b>@|<\/pre><script>/)
})

it('knows a person again, merges what comes, and forgets whom it has to', async () => {
  await call('/api/profile-import', { body: person({ email: 'ada@example.com', title: 'Ms' }) })
  await call('/api/profile-import', { body: person({ email: 'ADA@example.com', locale: 'en' }) })
  const query = `?filter=${encodeURIComponent('any(email,["ada@example.com","bob@example.com"])')}`
  expect(await (await call(`/api/profiles${query}`)).json()).toMatchObject({
    data: [{ type: 'profile', attributes: { title: 'Ms', locale: 'en' } }],
  })
  const attributes = { profile: person({ email: 'ada@example.com' }) }
  const deletion = { data: { type: 'data-privacy-deletion-job', attributes } }
  expect((await call('/api/data-privacy-deletion-jobs', { body: deletion })).status).toBe(202)
  expect(account.profiles).toEqual([])
})

it('takes what the shop sends of its catalog, and keeps nothing of it', async () => {
  const body = { data: { type: 'catalog-item-bulk-create-job', attributes: {} } }
  const started = await call('/api/catalog-item-bulk-create-jobs', { body })
  expect(started.status).toBe(202)
  const { data } = (await started.json()) as { data: { id: string } }
  const job = await call(`/api/catalog-item-bulk-create-jobs/${data.id}`)
  expect(await job.json()).toMatchObject({ data: { attributes: { status: 'complete' } } })
  expect(await (await call('/api/catalog-variants')).json()).toMatchObject({ data: [] })
})

it('plays each call of a delivery', async () => {
  const calls: Record<CallName, [path: string, method?: string]> = {
    event: ['events', 'POST'],
    events: ['event-bulk-create-jobs', 'POST'],
    profile: ['profile-import', 'POST'],
    subscribe: ['profile-subscription-bulk-create-jobs', 'POST'],
    unsubscribe: ['profile-subscription-bulk-delete-jobs', 'POST'],
    'delete-profile': ['data-privacy-deletion-jobs', 'POST'],
    'find-profiles': ['profiles'],
    'find-subscribed': ['lists/WELCOME/profiles'],
    'list-members': ['lists/WELCOME/relationships/profiles', 'POST'],
    'back-in-stock': ['back-in-stock-subscriptions', 'POST'],
    'catalog-job': ['catalog-variant-bulk-update-jobs', 'POST'],
    'catalog-state': ['catalog-variant-bulk-update-jobs/1'],
    'catalog-list': ['catalog-items'],
    'new-coupon': ['coupons', 'POST'],
    'coupon-job': ['coupon-code-bulk-create-jobs', 'POST'],
    'coupon-state': ['coupon-code-bulk-create-jobs/1'],
    'coupon-codes': ['coupons/COME-BACK/coupon-codes'],
    'coupon-code': ['coupon-codes/COME-BACK-TEA-0001', 'PATCH'],
  }
  const headers = { authorization: `Klaviyo-API-Key ${key}` }
  for (const [name, [path, method = 'GET']] of Object.entries(calls)) {
    const { status } = await fetch(new URL(`/api/${path}`, served.url), { method, headers })
    expect([name, status]).not.toEqual([name, 404])
  }
})

it('has the codes of a coupon until they are used, a hundred on a page', async () => {
  const codes = Array.from({ length: 120 }, (_, at) => ({
    attributes: { unique_code: `TEA-${at}` },
    relationships: { coupon: { data: { type: 'coupon', id: 'COME-BACK' } } },
  }))
  const type = 'coupon-code-bulk-create-job'
  const body = { data: { type, attributes: { 'coupon-codes': { data: codes } } } }
  expect((await call('/api/coupon-code-bulk-create-jobs', { body })).status).toBe(202)
  account.useCode('COME-BACK-TEA-0')
  const pageAt = async (path: string) =>
    (await (await call(path)).json()) as { data: unknown[]; links: { next: string | null } }
  const first = await pageAt('/api/coupons/COME-BACK/coupon-codes')
  const second = await pageAt(first.links.next ?? '')
  expect([first.data.length, second.data.length, second.links.next]).toEqual([100, 19, null])
  expect((await pageAt('/api/coupons/OTHER/coupon-codes')).data).toEqual([])
})

it('refuses a body without its parts, and a call that it does not play', async () => {
  expect((await call('/api/events', { body: {} })).status).toBe(400)
  expect((await call('/api/campaigns')).status).toBe(404)
})
