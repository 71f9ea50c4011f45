import type { Endpoint, SanitizedConfig } from 'payload'
import { generatePayloadCookie } from 'payload/shared'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedStore } from '../../support/shared-store.js'

let cookie: string

const store = sharedStore('sqlite', { config: { serverURL: '', csrf: [] } })
beforeAll(async () => {
  const { payload } = store
  const data = { email: 'admin@shop.example', password: 'correct horse', roles: ['admin'] }
  await payload.create({ collection: 'users', data })
  const { token = '' } = await payload.login({ collection: 'users', data })
  const users = payload.collections.users
  if (!users) throw new Error('The store has no users.')
  const { cookiePrefix } = payload.config
  const login = generatePayloadCookie({
    collectionAuthConfig: users.config.auth,
    cookiePrefix,
    token,
  })
  cookie = login.split(';')[0] ?? ''
})

/** Every endpoint of ours that changes something, by the config of the store itself. */
function changingPaths(): string[] {
  const { endpoints, collections, globals } = store.payload.config
  return [
    ...endpoints.filter(({ path }) => path.startsWith('/storeconnect')),
    ...ownEndpoints('/', collections, 'marketing-lease'),
    ...ownEndpoints('/globals/', globals, 'shipping-settings'),
  ]
    .filter(({ method }) => method !== 'get')
    .map(({ path }) => path.replace(':id', '1'))
}

type Entity = Pick<SanitizedConfig['collections'][number], 'slug' | 'endpoints'>

/** Without Payload's own, which are all that the plain one has. */
function ownEndpoints(base: string, entities: readonly Entity[], plain: string): Endpoint[] {
  const endpointsOf = ({ endpoints }: Entity) => (endpoints === false ? [] : endpoints)
  const name = ({ method, path }: Endpoint) => `${method} ${path}`
  const known = new Set(
    entities
      .filter(({ slug }) => slug === plain)
      .flatMap((entity) => endpointsOf(entity).map(name)),
  )
  return entities
    .filter(({ slug }) => slug.startsWith('marketing-') || slug.startsWith('shipping-'))
    .flatMap((entity) =>
      endpointsOf(entity)
        .filter((endpoint) => !known.has(name(endpoint)))
        .map((endpoint) => ({ ...endpoint, path: base + entity.slug + endpoint.path })),
    )
}

const post = async (path: string, headers: Record<string, string>, body = '{"reason":"none"}') => {
  const response = await store.api(
    new Request(`https://shop.example/api${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body,
    }),
  )
  return [response.status, response.headers.get('x-error-code')]
}

describe('Where the config has neither serverURL nor csrf, an endpoint of the admin', () => {
  it('is one of these', () => {
    expect(changingPaths()).toEqual(
      expect.arrayContaining([
        '/storeconnect/resend-reason',
        '/marketing-sends/1/resend',
        '/marketing-sends/1/dismiss',
        '/marketing-histories/start',
        '/marketing-histories/1/cancel',
        '/marketing-erasures/preview',
        '/marketing-erasures/erase',
        '/globals/marketing-settings/test-connection',
      ]),
    )
  })

  it('takes nothing that a page of somebody else posts', async () => {
    const strangers = [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://blog.shop.example', 'sec-fetch-site': 'same-site' },
      { origin: 'http://shop.example' },
    ]
    for (const path of changingPaths()) {
      for (const headers of strangers) {
        expect(await post(path, headers), path).toEqual([400, 'ORIGIN_FOREIGN'])
      }
    }
  })

  it('takes nothing that a plain form can send, whoever posts it', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
    for (const path of changingPaths()) {
      for (const type of [...types, 'text/plain; application/json', '']) {
        const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
        expect(await post(path, headers), path).toEqual([415, 'BODY_NOT_JSON'])
      }
    }
  })

  it('takes what the admin itself, a site of the store and a program post', async () => {
    const data = {
      handle: 'de',
      name: 'Tee',
      baseUrl: 'https://tee.example/de',
      enabled: true,
      cartUrl: '/cart',
    }
    const site = await store.payload.create({ collection: 'sites', data })
    const resend = '/storeconnect/resend-reason'
    const fromSite = { origin: 'https://tee.example', 'sec-fetch-site': 'cross-site' }
    const own = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' },
      { origin: 'https://shop.example', 'content-type': 'application/json; charset=utf-8' },
      fromSite,
    ]
    for (const headers of own) expect(await post(resend, headers)).toEqual([200, null])

    await store.payload.update({ collection: 'sites', id: site.id, data: { enabled: false } })
    expect(await post(resend, fromSite)).toEqual([400, 'ORIGIN_FOREIGN'])
  })
})
