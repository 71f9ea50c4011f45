import { describe, expect, it } from 'vitest'
import { resolveOptions, type StoreConnectOptions } from '../../src/options.js'

const wrong = (options: unknown) => () => resolveOptions(options as StoreConnectOptions)

describe('resolveOptions', () => {
  it('completes no options with the defaults', () => {
    const options = resolveOptions({})
    expect(options).toMatchObject({
      enabled: true,
      timezone: 'UTC',
      collections: {
        orders: 'orders',
        carts: 'carts',
        transactions: 'transactions',
        sites: 'sites',
      },
      fields: { number: 'number', reference: 'reference', tracking: 'tracking' },
      productFields: { name: 'title', sku: 'sku', weightUnit: 'weightUnit', slug: 'slug' },
      orders: { depth: 2 },
      shipping: {
        settings: { username: '', password: '', pageSize: 25, statusHandle: 'shipped' },
      },
    })
  })

  it('keeps what is given beside the defaults', () => {
    const isAdmin = () => true
    const beforeExport = () => false as const
    const options = resolveOptions({
      enabled: false,
      timezone: 'Europe/Berlin',
      collections: { orders: 'purchases' },
      fields: { reference: 'details.code' },
      isAdmin,
      shipping: { beforeExport, settings: { pageSize: 0, username: '' } },
    })
    expect(options).toMatchObject({
      enabled: false,
      timezone: 'Europe/Berlin',
      collections: { orders: 'purchases', carts: 'carts' },
      fields: { reference: 'details.code', number: 'number' },
      isAdmin,
      shipping: { beforeExport, settings: { pageSize: 0, username: '', statusHandle: 'shipped' } },
    })
  })

  it("links to a product by its slug, or as the store's own function says", () => {
    const product = { productId: 7, slug: 'tea/green & good', sku: 'TEA-1' }
    const byDefault = resolveOptions({}).productUrl
    expect(byDefault(product, undefined)).toBe('/products/tea/green%20%26%20good')
    expect(byDefault({ ...product, slug: '' }, undefined)).toBe('')
    const { productUrl } = resolveOptions({ productUrl: ({ sku }) => `/p/${sku}` })
    expect(productUrl(product, undefined)).toBe('/p/TEA-1')
  })

  it('keeps the hooks of the marketing messages and its presets', () => {
    const beforeEvent = () => false as const
    const statusEvents = [{ status: 'shipped', event: 'Fulfilled Order' }]
    const { marketing } = resolveOptions({ marketing: { beforeEvent, settings: { statusEvents } } })
    expect(marketing).toMatchObject({
      beforeEvent,
      settings: { statusEvents, accountUpdates: true, eventPrefix: '' },
    })
  })

  it('takes an option that is undefined for one that is absent, also a variable that is not set', () => {
    const options = resolveOptions({
      enabled: undefined,
      timezone: undefined,
      collections: { orders: undefined },
      fields: { reference: undefined },
      productFields: { sku: undefined },
      orders: { map: undefined, depth: undefined },
      shipping: {
        settings: { username: undefined, password: undefined },
      },
    } as unknown as StoreConnectOptions)
    expect(options).toEqual(resolveOptions({}))
  })

  it('does not change the given options', () => {
    const options = Object.freeze({
      collections: Object.freeze({ orders: 'purchases' }),
      shipping: Object.freeze({ settings: Object.freeze({ username: 'ship' }) }),
    })
    expect(() => resolveOptions(options)).not.toThrow()
  })

  it.each<[string, unknown]>([
    ['enabled', { enabled: 'yes' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '' }],
    ['timezone', { timezone: 3 }],
    ['collections.orders', { collections: { orders: '' } }],
    ['collections.carts', { collections: { carts: 7 } }],
    ['collections', { collections: 'orders' }],
    ['ordres', { collections: { ordres: 'orders' } }],
    ['fields.reference', { fields: { reference: '' } }],
    ['fields.number', { fields: { number: null } }],
    ['refrence', { fields: { refrence: 'x' } }],
    ['productFields.sku', { productFields: { sku: 1 } }],
    ['colour', { productFields: { colour: 'x' } }],
    ['isAdmin', { isAdmin: true }],
    ['shipping', { shipping: [] }],
    ['orders.map', { orders: { map: 'x' } }],
    ['orders.depth', { orders: { depth: -1 } }],
    ['orders.depth', { orders: { depth: 1.5 } }],
    ['orders.depth', { orders: { depth: 11 } }],
    ['mapOrder', { shipping: { mapOrder: () => ({}) } }],
    ['shipping.beforeExport', { shipping: { beforeExport: {} } }],
    ['shipping.settings.username', { shipping: { settings: { username: 1 } } }],
    ['shipping.settings.password', { shipping: { settings: { password: null } } }],
    ['shipping.settings.storeField', { shipping: { settings: { storeField: false } } }],
    ['shipping.settings.pageSize', { shipping: { settings: { pageSize: true } } }],
    [
      'shipping.settings.failOnInvalidOrder',
      { shipping: { settings: { failOnInvalidOrder: 'no' } } },
    ],
    ['shipping.settings.readDatesAsUtc', { shipping: { settings: { readDatesAsUtc: 1 } } }],
    ['pagesize', { shipping: { settings: { pagesize: 5 } } }],
    ['shippng', { shippng: {} }],
    ['productUrl', { productUrl: '/products' }],
    ['marketing.beforeProfile', { marketing: { beforeProfile: {} } }],
    ['marketing.beforeEvent', { marketing: { beforeEvent: true } }],
    ['marketing.orderProperties', { marketing: { orderProperties: [] } }],
    ['marketing.lineItemProperties', { marketing: { lineItemProperties: 'x' } }],
    ['trustProxy', { trustProxy: true }],
    ['trustProxy.header', { trustProxy: { header: 'x-forwarded-for, x-real-ip' } }],
    ['trustProxy.proxies', { trustProxy: { header: 'x-real-ip', proxies: 0 } }],
    ['marketing.accountRoles', { marketing: { accountRoles: 'customer' } }],
    ['statusEvents', { marketing: { settings: { statusEvents: [{ status: 'shipped' }] } } }],
    ['accountUpdates', { marketing: { settings: { accountUpdates: 1 } } }],
  ])('throws a TypeError that names %s for %j', (name, options) => {
    expect(wrong(options)).toThrow(TypeError)
    expect(wrong(options)).toThrow(/^storeConnect\(\): /)
    expect(wrong(options)).toThrow(name)
  })

  it('names every option that is wrong at once', () => {
    expect(wrong({ enabled: 1, timezone: 'x', orders: { depth: 99 } })).toThrow(
      /enabled[^]*timezone|timezone[^]*enabled/,
    )
    expect(wrong({ enabled: 1, timezone: 'x', orders: { depth: 99 } })).toThrow('orders.depth')
  })

  it.each([null, 'options', 7, []])('throws a TypeError for %j in place of options', (options) => {
    expect(wrong(options)).toThrow(TypeError)
  })
})
