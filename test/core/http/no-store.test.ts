import type { Endpoint } from 'payload'
import { describe, expect, it } from 'vitest'
import { storeConnect } from '../../../src/plugin.js'
import { apiOf } from '../../support/api-of.js'
import { bareConfig } from '../../support/bare-config.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

/** All endpoints that the plugin adds, in a config that had none. */
async function ownEndpoints() {
  const { collections, globals, endpoints } = await storeConnect()({
    ...bareConfig({ kind: 'sqlite', url: ':memory:' }),
    collections: [
      { slug: 'users', auth: true, fields: [{ name: 'roles', type: 'text' }] },
      { slug: 'orders', fields: [{ name: 'customer', type: 'relationship', relationTo: 'users' }] },
    ],
  })
  const below = (above: string, own: readonly Omit<Endpoint, 'root'>[] | false | undefined) =>
    (own || []).map(({ method, path }) => ({ method, path: `${above}${path}` }))
  return [
    ...below('', endpoints),
    ...(collections ?? []).flatMap(({ slug, endpoints: own }) => below(`/${slug}`, own)),
    ...(globals ?? []).flatMap(({ slug, endpoints: own }) => below(`/globals/${slug}`, own)),
  ]
}

const endpoints = (await ownEndpoints()).map(({ method, path }) => ({
  method: method.toUpperCase(),
  path: path
    .replace(':path*', 'users/session-info')
    .replace(':of', 'orders')
    .replaceAll(/:\w+/g, '1'),
}))

describe('No cache keeps what an endpoint of Storeconnect answers', () => {
  const shop = simulatedStore(anyKind)

  it('which are those of the actions, of collections and of globals', () => {
    const known = [
      '/actions/',
      '/storeconnect/',
      '/marketing-histories/',
      '/globals/alert-settings',
    ]
    for (const path of known) {
      expect(endpoints.some((endpoint) => endpoint.path.startsWith(path))).toBe(true)
    }
  })

  it.each(endpoints)('$method $path', async ({ method, path }) => {
    const api = apiOf(shop)
    for (const as of ['admin', 'customer', undefined] as const) {
      const answer = await api(path, { as, method, ...(method === 'POST' && { body: {} }) })
      const cached = answer.headers.get('cache-control')
      expect([as, answer.status, cached]).toEqual([as, answer.status, 'no-store'])
      expect(as === 'admin' ? [403, 500] : [500]).not.toContain(answer.status)
    }
  })
})
