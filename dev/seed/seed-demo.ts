import type { CollectionSlug, DefaultDocumentIDType, Payload } from 'payload'
import { demoLists } from '../klaviyo/lists.ts'
import { accounts, type Account } from './accounts.ts'
import { demoCarts, type DemoCart } from './demo-carts.ts'
import { products } from './products.ts'
import { seedProducts, type SeededProducts } from './seed-products.ts'
import { seedDemoOrders } from './seed-orders.ts'
import { sitesAt } from './sites.ts'
import { writeTimes } from './write-times.ts'

type Id = DefaultDocumentIDType

export interface SeedDemoOptions {
  /** The address of the store, such as `http://127.0.0.1:3000`. */
  origin: string
  /** Default: the present. */
  now?: Date
  onProgress?: (done: number, total: number) => void
}

/**
 * Fills an empty store and returns true. A store that is filled keeps its data; only the addresses
 * of its sites follow the port. The admin's account is created last, so a seeding that was cut off
 * is found out and begins again.
 */
export async function seedDemo(payload: Payload, options: SeedDemoOptions): Promise<boolean> {
  const { now = new Date(), onProgress = () => {}, origin } = options
  if (await isSeeded(payload)) {
    await moveSites(payload, origin)
    return false
  }
  await removeHalfASeeding(payload)
  const siteIds = await seedSites(payload, origin)
  const customerIds = await seedAccounts(payload, 'customer')
  const seeded = await seedProducts(payload)
  await seedDemoOrders(payload, { seeded, customerIds, now, onProgress, siteIds })
  await seedCarts(payload, { seeded, customerIds, now, siteIds })
  await payload.updateGlobal({ slug: 'newsletter', data: { list: demoLists[0]?.id } })
  await seedAccounts(payload, 'admin')
  return true
}

async function isSeeded(payload: Payload): Promise<boolean> {
  const { totalDocs } = await payload.count({
    collection: 'users',
    where: { roles: { contains: 'admin' } },
  })
  return totalDocs > 0
}

async function removeHalfASeeding(payload: Payload): Promise<void> {
  const slugs: CollectionSlug[] = [
    'orders',
    'carts',
    'transactions',
    'variants',
    'variantOptions',
    'variantTypes',
    'products',
    'media',
    'sites',
    'users',
  ]
  for (const collection of slugs) {
    await payload.delete({ collection, where: { id: { exists: true } } })
  }
}

async function seedSites(payload: Payload, origin: string): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const site of sitesAt(origin)) {
    const { id } = await payload.create({ collection: 'sites', data: site })
    ids.set(site.handle, id)
  }
  return ids
}

async function moveSites(payload: Payload, origin: string): Promise<void> {
  for (const { baseUrl, handle } of sitesAt(origin)) {
    await payload.update({
      collection: 'sites',
      data: { baseUrl },
      where: { and: [{ handle: { equals: handle } }, { baseUrl: { not_equals: baseUrl } }] },
    })
  }
}

async function seedAccounts(payload: Payload, role: Account['role']): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const account of accounts.filter((each) => each.role === role)) {
    const { email, firstName, lastName, password, phone } = account
    const { id } = await payload.create({
      collection: 'users',
      data: { email, firstName, lastName, password, phone, roles: [role] },
    })
    ids.set(email, id)
  }
  return ids
}

interface CartParts {
  seeded: SeededProducts
  customerIds: Map<string, Id>
  siteIds: Map<string, Id>
  now: Date
}

async function seedCarts(payload: Payload, parts: CartParts): Promise<void> {
  for (const cart of demoCarts) {
    const { id } = await payload.create({ collection: 'carts', data: cartData(cart, parts) })
    const at = new Date(parts.now.getTime() - cart.daysOld * 24 * 60 * 60_000)
    await writeTimes(payload, { collection: 'carts', id }, { createdAt: at, updatedAt: at })
  }
}

function cartData(cart: DemoCart, { seeded, customerIds, now, siteIds }: CartParts) {
  const customer = cart.email === undefined ? undefined : customerIds.get(cart.email)
  return {
    ...(customer === undefined ? {} : { customer }),
    currency: cart.currency,
    items: cart.items.flatMap(({ quantity, slug }) => {
      const product = products.find((each) => each.slug === slug)
      return product ? { product: seeded.productId(product), quantity } : []
    }),
    ...(cart.number === undefined ? {} : { number: cart.number }),
    ...(cart.isPurchased ? { purchasedAt: now.toISOString() } : {}),
    site: siteIds.get(cart.site),
  }
}
