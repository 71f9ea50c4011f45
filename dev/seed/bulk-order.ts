import { people, type PostalAddress } from './people.ts'
import { priceIn } from './prices.ts'
import { products } from './products.ts'
import type { Random } from './random.ts'
import { regionOf, type CurrencyCode, type Region } from './regions.ts'
import type { BulkRow } from './bulk-database.ts'

/** What the store at hand lets an order refer to and choose from. */
export interface BulkWorld {
  /** Ids by SKU. */
  products: Map<string, number | string>
  variants: Map<string, number | string>
  siteIds: (number | string)[]
  customerIds: (number | string)[]
  currencies: CurrencyCode[]
  statuses: string[]
  warehouses: string[]
  paymentMethods: string[]
}

export interface BulkItem {
  row: BulkRow
  options: { name: string; value: string }[]
}

/** One order with what belongs to it; ids are given out by whoever inserts it. */
export interface BulkOrder {
  row: BulkRow
  items: BulkItem[]
  tracking: BulkRow | undefined
  paymentMethod: string | null
}

const statusShares: [status: string, share: number][] = [
  ['processing', 0.3],
  ['completed', 0.3],
  ['shipped', 0.3],
  ['cancelled', 0.05],
  ['refunded', 0.05],
]

/** A full and valid order: two items on average, addresses, amounts, notes, options. */
export function bulkOrder(random: Random, world: BulkWorld): BulkOrder {
  const { address, email } = random.pick(people)
  const region = regionOf(address.country)
  const currency = world.currencies.includes(region.currency)
    ? region.currency
    : random.pick(world.currencies)
  const status = statusOf(random, world.statuses)
  const items = Array.from({ length: random.between(1, 3) }, () =>
    bulkItem(random, world, currency),
  )
  const isGift = random.chance(0.1)
  const hasAccount = world.customerIds.length > 0 && random.chance(0.4)
  return {
    row: {
      ...addressColumns('shippingAddress', address),
      ...addressColumns('billingAddress', address),
      customer: hasAccount ? random.pick(world.customerIds) : null,
      customerEmail: email,
      status,
      currency,
      warehouse: warehouseOf(random, region, world.warehouses),
      site: world.siteIds.length > 0 ? random.pick(world.siteIds) : null,
      shippingMethod: region.shippingMethod,
      ...amountColumns(random, items, region),
      customerNotes: random.chance(0.2) ? 'Please ring twice, the bell is shy' : null,
      internalNotes: random.chance(0.1) ? 'Use the thick box' : null,
      gift: isGift,
      giftMessage: isGift ? 'Happy birthday! 🎂' : null,
    },
    items,
    tracking: status === 'shipped' ? trackingColumns(random, region) : undefined,
    paymentMethod: world.paymentMethods.length > 0 ? random.pick(world.paymentMethods) : null,
  }
}

function bulkItem(random: Random, world: BulkWorld, currency: CurrencyCode): BulkItem {
  const product = random.pick(products)
  const variant = product.variants && random.pick(product.variants.of)
  const sku = variant ? `${product.sku}-${variant.suffix}` : product.sku
  return {
    row: {
      product: world.products.get(product.sku) ?? null,
      variant: world.variants.get(sku) ?? null,
      quantity: random.between(1, 4),
      currency,
      name: product.title,
      sku,
      unitPrice: priceIn(currency, variant?.price ?? product.price),
      weight: variant?.weight ?? product.weight,
      weightUnit: product.weightUnit,
      imageUrl: `/api/media/file/${product.slug}.svg`,
    },
    options:
      variant && product.variants ? [{ name: product.variants.type, value: variant.label }] : [],
  }
}

function amountColumns(random: Random, items: BulkItem[], region: Region): BulkRow {
  const subtotal = items.reduce(
    (sum, { row }) => sum + Number(row.unitPrice) * Number(row.quantity),
    0,
  )
  const hasDiscount = random.chance(0.2)
  const discountAmount = hasDiscount ? Math.round(subtotal * 0.1) : 0
  const taxAmount = Math.round((subtotal - discountAmount) * 0.08)
  return {
    amount: subtotal - discountAmount + taxAmount + region.shippingAmount,
    shippingAmount: region.shippingAmount,
    taxAmount,
    discountAmount,
    discountCode: hasDiscount ? 'WELCOME10' : null,
  }
}

function statusOf(random: Random, statuses: string[]): string {
  let left = random.next()
  for (const [status, share] of statusShares) {
    left -= share
    if (left < 0 && statuses.includes(status)) return status
  }
  return statuses[0] ?? 'processing'
}

function warehouseOf(random: Random, { warehouse }: Region, warehouses: string[]): string | null {
  if (warehouses.includes(warehouse)) return warehouse
  return warehouses.length > 0 ? random.pick(warehouses) : null
}

const trackingColumns = (random: Random, { carrier }: Region): BulkRow => ({
  carrier: carrier.carrier,
  service: carrier.service,
  trackingNumber: `${carrier.numberPrefix}${String(random.between(0, 999_999_999)).padStart(9, '0')}`,
})

const addressColumns = (group: string, address: PostalAddress): BulkRow => ({
  [`${group}_title`]: address.title ?? null,
  [`${group}_firstName`]: address.firstName,
  [`${group}_lastName`]: address.lastName,
  [`${group}_company`]: address.company ?? null,
  [`${group}_addressLine1`]: address.addressLine1,
  [`${group}_addressLine2`]: address.addressLine2 ?? null,
  [`${group}_city`]: address.city,
  [`${group}_state`]: address.state ?? null,
  [`${group}_postalCode`]: address.postalCode,
  [`${group}_country`]: address.country,
  [`${group}_phone`]: address.phone,
})
