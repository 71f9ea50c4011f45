import { describe, expect, it } from 'vitest'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { resolvedOptions } from '../support/shop-of.js'

const wrong = (options: unknown) => () => resolvedOptions(options as StoreConnectOptions)

describe('resolveOptions', () => {
  it('completes what is given with the defaults', () => {
    const isAdmin = () => true
    const beforeExport = () => false as const
    const beforeEvent = () => false as const
    const statusEvents = [{ status: 'shipped', event: 'Fulfilled Order' }]
    const options = resolvedOptions({
      collections: { orders: 'purchases' },
      fields: { reference: 'details.code' },
      isAdmin,
      shipping: { beforeExport, settings: { pageSize: 0 } },
      marketing: { beforeEvent, settings: { statusEvents } },
    })
    expect(options).toMatchObject({
      enabled: true,
      timezone: 'UTC',
      collections: { orders: 'purchases', carts: 'carts', transactions: 'transactions' },
      fields: { number: 'number', reference: 'details.code', tracking: 'tracking' },
      productFields: { name: 'title', sku: 'sku', weightUnit: 'weightUnit', slug: 'slug' },
      isAdmin,
      orders: { depth: 2 },
      shipping: { beforeExport, settings: { pageSize: 0, username: '', statusHandle: 'shipped' } },
      marketing: { beforeEvent, settings: { statusEvents, accountUpdates: true, eventPrefix: '' } },
    })
    expect(resolvedOptions({}).shipping.settings.pageSize).toBe(25)
  })

  it("links to a product by its slug, or as the store's own function says", () => {
    const product = { productId: 7, slug: 'tea/green & good', sku: 'TEA-1' }
    const byDefault = resolvedOptions({}).productUrl
    expect(byDefault(product, undefined)).toBe('/products/tea/green%20%26%20good')
    expect(byDefault({ ...product, slug: '' }, undefined)).toBe('')
    const { productUrl } = resolvedOptions({ productUrl: ({ sku }) => `/p/${sku}` })
    expect(productUrl(product, undefined)).toBe('/p/TEA-1')
  })

  it('takes an option that is undefined for one that is absent, also a variable that is not set', () => {
    const options = {
      timezone: undefined,
      collections: { orders: undefined },
      orders: { map: undefined, depth: undefined },
      shipping: { settings: { username: undefined } },
    } as unknown as StoreConnectOptions
    expect(resolvedOptions(options)).toEqual(resolvedOptions({}))
  })

  it('does not change the given options', () => {
    const options = Object.freeze({
      collections: Object.freeze({ orders: 'purchases' }),
      shipping: Object.freeze({ settings: Object.freeze({ username: 'ship' }) }),
    })
    expect(() => resolvedOptions(options)).not.toThrow()
  })

  it.each<[string, unknown]>([
    ['enabled', { enabled: 'yes' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['collections.orders', { collections: { orders: '' } }],
    ['ordres', { collections: { ordres: 'orders' } }],
    ['fields.reference', { fields: { reference: '' } }],
    ['refrence', { fields: { refrence: 'x' } }],
    ['colour', { productFields: { colour: 'x' } }],
    ['isAdmin', { isAdmin: true }],
    ['shipping', { shipping: [] }],
    ['orders.map', { orders: { map: 'x' } }],
    ['orders.depth', { orders: { depth: -1 } }],
    ['orders.depth', { orders: { depth: 11 } }],
    ['mapOrder', { shipping: { mapOrder: () => ({}) } }],
    ['shipping.beforeExport', { shipping: { beforeExport: {} } }],
    ['shipping.settings.username', { shipping: { settings: { username: 1 } } }],
    ['shipping.settings.pageSize', { shipping: { settings: { pageSize: true } } }],
    [
      'shipping.settings.failOnInvalidOrder',
      { shipping: { settings: { failOnInvalidOrder: 'no' } } },
    ],
    ['pagesize', { shipping: { settings: { pagesize: 5 } } }],
    ['productUrl', { productUrl: '/products' }],
    ['marketing.beforeProfile', { marketing: { beforeProfile: {} } }],
    ['marketing.lineItemProperties', { marketing: { lineItemProperties: 'x' } }],
    ['trustProxy.header', { trustProxy: { header: 'x-forwarded-for, x-real-ip' } }],
    [
      'pageColors.light.accent',
      { pageColors: { light: { accent: 'red; } body { display: none' } } },
    ],
    ['onAccent on accent has a contrast of 1.0', { pageColors: { light: { accent: '#FFFFFF' } } }],
    ['ink on card has a contrast of 1.3', { pageColors: { dark: { ink: '#333333' } } }],
    ['trustProxy.proxies', { trustProxy: { header: 'x-real-ip', proxies: 0 } }],
    ['marketing.accountRoles', { marketing: { accountRoles: 'customer' } }],
    ['statusEvents', { marketing: { settings: { statusEvents: [{ status: 'shipped' }] } } }],
    ['accountUpdates', { marketing: { settings: { accountUpdates: 1 } } }],
  ])('throws a TypeError that names %s for %j', (name, options) => {
    expect(wrong(options)).toThrow(TypeError)
    expect(wrong(options)).toThrow(/^storeConnect\(\): /)
    expect(wrong(options)).toThrow(name)
  })

  it('says of every wrong option what it may be, all at once, and takes nothing else for options', () => {
    const three = wrong({ enabled: 1, timezone: 'x', orders: { depth: 99 } })
    expect(three).toThrow(`storeConnect(): ✖ Invalid input: expected boolean, received number
  → at enabled
✖ is not an IANA time zone
  → at timezone
✖ Too big: expected number to be <=10
  → at orders.depth`)
    for (const other of [null, 'options', 7, []]) expect(wrong(other)).toThrow(TypeError)
  })
})
