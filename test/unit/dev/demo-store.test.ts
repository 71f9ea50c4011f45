import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { abandonedCartNumbers } from '../../../dev/abandoned-cart-numbers.ts'
import { pathInAmerica } from '../../../dev/america-path.ts'
import { beginAnew } from '../../../dev/begin-anew.ts'
import { applyEnvironment, readEnvironment, type Variables } from '../../../dev/environment.ts'
import { accounts } from '../../../dev/seed/accounts.ts'
import { demoCarts } from '../../../dev/seed/demo-carts.ts'
import { demoOrders } from '../../../dev/seed/demo-orders.ts'
import { products } from '../../../dev/seed/products.ts'
import { sitesAt } from '../../../dev/seed/sites.ts'
import { shippingCommands } from '../../../dev/shipping-commands.ts'
import { currentSite } from '../../../src/shop/sites/sites.js'

describe('the environment of the demo store', () => {
  it('has a default for everything, and follows the variables that are set', () => {
    const { databaseUrl, dataDirectory, ...address } = readEnvironment({})
    expect(address).toEqual({ host: '127.0.0.1', origin: 'http://127.0.0.1:3000', port: 3000 })
    expect(databaseUrl).toBe(`file:${path.join(dataDirectory, 'store.db')}`)
    const DATABASE_URL = 'postgres://localhost/store'
    expect(
      readEnvironment({ DATABASE_URL, HOST: '::', PORT: '4000', STORE_DATA_DIR: '/srv/data' }),
    ).toEqual({
      databaseUrl: DATABASE_URL,
      dataDirectory: path.resolve('/srv/data'),
      host: '::',
      origin: 'http://127.0.0.1:4000',
      port: 4000,
    })
    for (const PORT of ['web', '-1', '65536', '3000.5']) {
      expect(() => readEnvironment({ PORT })).toThrow(TypeError)
    }
  })

  it('has a secret that is made once and kept beside the data, readable by its owner only', () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'store-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const secretOf = (env: Variables) => {
      applyEnvironment(env)
      return env.PAYLOAD_SECRET
    }
    const first = secretOf({ STORE_DATA_DIR: directory })
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(secretOf({ STORE_DATA_DIR: directory })).toBe(first)
    const file = path.join(directory, 'secret')
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(secretOf({ PAYLOAD_SECRET: 'mine', STORE_DATA_DIR: directory })).toBe('mine')
  })
})

describe('what the demo store prints', () => {
  it('begins anew by its data directory and its SQLite file, and has PostgreSQL emptied', () => {
    const begin = (databaseUrl: string) =>
      beginAnew({ dataDirectory: '/shop/dev/.data', databaseUrl })
    expect(begin('file:/shop/dev/.data/store.db')).toBe('rm -r /shop/dev/.data')
    expect(begin('file:mine.db')).toBe(`rm -r /shop/dev/.data ${path.resolve('mine.db')}`)
    const text = begin('postgres://someone:secret@127.0.0.1/shop')
    expect(text).toMatch(/^rm -r \/shop\/dev\/\.data .*empty the PostgreSQL database/)
    expect(text).not.toContain('secret')
  })

  it('are calls to paste, but never a password of one’s own', () => {
    const origin = 'http://127.0.0.1:3000'
    const commands = (password?: string, reference?: string) =>
      shippingCommands({ origin, password, reference })
    expect(commands('shipstation-demo', 'AB12-CD34')).toEqual({
      pull: "curl -u shipstation:shipstation-demo 'http://127.0.0.1:3000/actions/shippingconnect/orders/process?action=export'",
      ship: "curl -u shipstation:shipstation-demo -X POST 'http://127.0.0.1:3000/actions/shippingconnect/orders/process?action=shipnotify&order_number=AB12-CD34&carrier=USPS&service=Priority&tracking_number=9400111899223817263548'",
    })
    expect(JSON.stringify(commands('hunter2', 'AB12-CD34'))).not.toContain('hunter2')
    expect(commands().ship).toBeUndefined()
  })
})

describe('the three sites of the demo store', () => {
  it.each([
    ['http://127.0.0.1:3000/usa', 'europe'],
    ['http://127.0.0.1:3000/us/cart', 'america'],
    ['http://localhost:3000/us/cart', 'wholesale'],
  ])('share one server: %s is %s', (url, handle) => {
    const sites = sitesAt('http://127.0.0.1:3000').map((site, index) => ({
      ...site,
      id: index + 1,
    }))
    expect(currentSite(sites, url)?.handle).toBe(handle)
  })

  it('stay three when the store is called localhost', () => {
    const urls = sitesAt('http://localhost:4000').map(({ baseUrl }) => baseUrl)
    expect(urls).toContain('http://127.0.0.1:4000')
  })

  it.each([
    ['/us', '/'],
    ['/us/products/bottled-ink', '/products/bottled-ink'],
    ['/usher', undefined],
  ])('share their pages: %s of America is %s', (pathname, page) => {
    expect(pathInAmerica(pathname)).toBe(page)
  })
})

describe('a fresh demo store', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const orders = demoOrders(now)

  it('has carts of the products, a guest’s and a customer’s among them', () => {
    const ownerOf = (wanted: string) => demoCarts.find(({ number }) => number === wanted)?.email
    expect(ownerOf(abandonedCartNumbers.guest)).toBeUndefined()
    expect(accounts.map(({ email }) => email)).toContain(ownerOf(abandonedCartNumbers.customer))
    for (const { slug } of demoCarts.flatMap(({ items }) => items)) {
      expect(products.find((product) => product.slug === slug)?.variants, slug).toBeUndefined()
    }
  })

  it('has orders of the last 30 days, of every status, currency, site and warehouse', () => {
    const shown = (key: 'status' | 'currency' | 'site' | 'warehouse') =>
      [...new Set(orders.map((order) => order[key]))].sort().join(' ')
    expect(shown('status')).toBe('cancelled completed processing refunded shipped')
    expect(shown('currency')).toBe('EUR JPY KWD USD')
    expect(shown('site')).toBe('america europe wholesale')
    expect(shown('warehouse')).toBe('berlin osaka portland')
    for (const { createdAt, updatedAt, status, tracking } of orders) {
      expect(now.getTime() - createdAt.getTime()).toBeLessThan(30 * 24 * 3_600_000)
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
      expect(updatedAt.getTime()).toBeLessThan(now.getTime())
      expect(tracking !== undefined).toBe(status === 'shipped')
    }
  })

  it('has orders that add up, and four that cannot be shipped as they are', () => {
    const faults = orders.flatMap(({ email, lines, shippingAddress }) => [
      ...(email ? [] : ['no buyer']),
      ...(lines.length > 0 ? [] : ['no items']),
      ...(/^[A-Z]{2}$/.test(shippingAddress.country ?? '') ? [] : [shippingAddress.country]),
    ])
    expect(faults).toEqual(['', 'no buyer', 'Germany', 'no items'])
    for (const order of orders.filter(({ lines }) => lines.length > 0)) {
      const subtotal = order.lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0)
      const { amount, discountAmount, shippingAmount, taxAmount } = order
      expect(amount).toBe(subtotal - discountAmount + taxAmount + shippingAmount)
    }
  })
})
