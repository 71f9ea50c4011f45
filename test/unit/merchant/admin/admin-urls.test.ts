import { afterEach, describe, expect, it, vi } from 'vitest'
import { adminUrl, apiUrl } from '../../../../src/merchant/admin/admin-urls.js'

const routes = { admin: '/admin', api: '/api' }
const sends = '/collections/marketing-sends'

describe('the addresses of the admin', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('hang off the routes of the store, and name no other host', () => {
    expect(adminUrl({ routes }, sends)).toBe('/admin/collections/marketing-sends')
    expect(adminUrl({ routes: { admin: '/', api: '/api' } }, sends)).toBe(sends)
  })

  it('are below the base path of Next.js, which puts it in front of links by itself', () => {
    vi.stubEnv('NEXT_BASE_PATH', '/shop')
    expect(apiUrl({ routes }, '/storeconnect/lists')).toBe('/shop/api/storeconnect/lists')
    expect(adminUrl({ routes }, sends)).toBe('/admin/collections/marketing-sends')
  })

  it('are on the server that the store names', () => {
    const config = { routes, serverURL: 'https://shop.example' }
    expect(apiUrl(config, '/storeconnect/order-preview?reference=A')).toBe(
      'https://shop.example/api/storeconnect/order-preview?reference=A',
    )
    expect(apiUrl({ routes, serverURL: '' }, '/storeconnect/lists')).toBe('/api/storeconnect/lists')
  })
})
