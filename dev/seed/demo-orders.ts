import { customerNotes, giftMessages, internalNotes } from './demo-notes.ts'
import { people, type Person, type PostalAddress } from './people.ts'
import { priceIn } from './prices.ts'
import { products, type ProductSeed, type VariantSeed } from './products.ts'
import { randomFrom, type Random } from './random.ts'
import { regionOf, type CurrencyCode, type Region } from './regions.ts'
import type { SiteSeed } from './sites.ts'

interface StatusChange {
  status: OrderStatus
  at: string
  count: number
  placed?: true
}

export type OrderStatus = 'processing' | 'completed' | 'shipped' | 'cancelled' | 'refunded'

export interface DemoLine {
  product: ProductSeed
  variant: VariantSeed | undefined
  quantity: number
  /** Minor units of the order's currency. */
  unitPrice: number
  options: { name: string; value: string }[]
}

/** What was sold out before anybody ordered it is not among them. */
const ordered = products.filter(({ isSoldOut }) => !isSoldOut)

/** An order before it meets the database: products, sites and accounts by name, not by id. */
export interface DemoOrder {
  status: OrderStatus
  site: SiteSeed['handle']
  currency: CurrencyCode
  warehouse: Region['warehouse']
  email: string | undefined
  lines: DemoLine[]
  shippingAddress: Partial<PostalAddress>
  billingAddress: PostalAddress | undefined
  shippingMethod: string
  shippingAmount: number
  taxAmount: number
  discountAmount: number
  discountCode: string | undefined
  amount: number
  customerNotes: string | undefined
  internalNotes: string | undefined
  giftMessage: string | undefined
  tracking: { carrier: string; service: string; trackingNumber: string } | undefined
  createdAt: Date
  updatedAt: Date
}

export const demoOrderCount = 60

const spreadMinutes = 30 * 24 * 60
const jitterMinutes = 10 * 60
const statuses: OrderStatus[] = [
  ...Array<OrderStatus>(4).fill('processing'),
  ...Array<OrderStatus>(3).fill('completed'),
  ...Array<OrderStatus>(3).fill('shipped'),
  'cancelled',
  'refunded',
]
const statusesOfNewOrders: OrderStatus[] = ['processing']
const newForMinutes = 2 * 24 * 60

/**
 * The orders of a fresh store: the last 30 days before `now`, oldest first, in every status. The
 * same moment gives the same orders. Four of them cannot be shipped as they are.
 */
export function demoOrders(now: Date): DemoOrder[] {
  const random = randomFrom(20)
  const orders = Array.from({ length: demoOrderCount }, (_, index) => demoOrder(random, index, now))
  for (const [index, spoil] of Object.entries(spoiled)) {
    const order = orders[Number(index)]
    if (order) Object.assign(order, { status: 'processing', tracking: undefined }, spoil(order))
  }
  return withTies(orders)
}

/** Orders as they come from a form that checked too little, by their place in the list. */
const spoiled: Record<number, (order: DemoOrder) => Partial<DemoOrder>> = {
  11: ({ shippingAddress }) => ({ shippingAddress: { ...shippingAddress, country: '' } }),
  24: () => ({ email: undefined }),
  37: ({ shippingAddress }) => ({ shippingAddress: { ...shippingAddress, country: 'Germany' } }),
  50: () => ({ lines: [] }),
}

function demoOrder(random: Random, index: number, now: Date): DemoOrder {
  const isWholesale = index % 9 === 4
  const buyer = buyerOf(random, index)
  const region = regionOf(buyer.address.country)
  const evenly = ((demoOrderCount - index) / demoOrderCount) * (spreadMinutes - jitterMinutes)
  const minutesAgo = Math.round(evenly) + random.between(0, jitterMinutes - 1)
  const times = timesOf(random, minutesAgo, now)
  const status = random.pick(minutesAgo < newForMinutes ? statusesOfNewOrders : statuses)
  const lines = linesOf(random, region.currency, isWholesale)
  const isGift = random.chance(0.2)
  const recipient = isGift ? random.pick(people.filter((each) => sameCountry(each, buyer))) : buyer
  return {
    status,
    site: isWholesale ? 'wholesale' : region.currency === 'USD' ? 'america' : 'europe',
    currency: region.currency,
    warehouse: region.warehouse,
    email: buyer.email,
    lines,
    shippingAddress: recipient.address,
    billingAddress: isGift || random.chance(0.5) ? buyer.address : undefined,
    shippingMethod: region.shippingMethod,
    shippingAmount: region.shippingAmount,
    ...amountsOf(random, lines, region),
    customerNotes: random.chance(0.3) ? random.pick(customerNotes) : undefined,
    internalNotes: random.chance(0.25) ? random.pick(internalNotes) : undefined,
    giftMessage: isGift ? random.pick(giftMessages) : undefined,
    tracking: status === 'shipped' ? trackingOf(random, region) : undefined,
    ...times,
  }
}

/** Whose account is there to be looked at: waiting, on its way and done. */
const placesOfZofia = new Set([12, 28, 42, 53])

function buyerOf(random: Random, index: number): Person {
  const anybody = random.pick(people)
  const zofia = people.find(({ email }) => email === 'zofia@example.com')
  return (placesOfZofia.has(index) ? zofia : undefined) ?? anybody
}

const sameCountry = (one: Person, other: Person) => one.address.country === other.address.country

function timesOf(random: Random, minutesAgo: number, now: Date) {
  const createdAt = new Date(now.getTime() - minutesAgo * 60_000)
  const quietMinutes = Math.min(random.between(0, 5 * 24 * 60), minutesAgo - 1)
  return { createdAt, updatedAt: new Date(createdAt.getTime() + quietMinutes * 60_000) }
}

function linesOf(random: Random, currency: CurrencyCode, isWholesale: boolean): DemoLine[] {
  const count = random.pick([1, 1, 2, 2, 2, 3, 4])
  const chosen = new Set(Array.from({ length: count }, () => random.pick(ordered)))
  return [...chosen].map((product) => {
    const variant = product.variants && random.pick(product.variants.of)
    const isEngraved = product.slug === 'everyday-fountain-pen' && random.chance(0.5)
    return {
      product,
      variant,
      quantity: isWholesale ? random.between(12, 48) : random.pick([1, 1, 1, 2, 3]),
      unitPrice: priceIn(currency, (variant?.price ?? product.price) * (isWholesale ? 0.6 : 1)),
      options: [
        ...(variant && product.variants
          ? [{ name: product.variants.type, value: variant.label }]
          : []),
        ...(isEngraved
          ? [{ name: 'Engraving', value: random.pick(['Z. W.', '花', 'R & D']) }]
          : []),
      ],
    }
  })
}

function amountsOf(random: Random, lines: DemoLine[], region: Region) {
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0)
  const discount = random.chance(0.25)
    ? random.pick([
        { code: 'WELCOME10', share: 0.1 },
        { code: 'TEATIME', share: 0.15 },
      ])
    : undefined
  const discountAmount = Math.round(subtotal * (discount?.share ?? 0))
  const taxAmount = Math.round((subtotal - discountAmount) * 0.08)
  return {
    taxAmount,
    discountAmount,
    discountCode: discount?.code,
    amount: subtotal - discountAmount + taxAmount + region.shippingAmount,
  }
}

const trackingOf = (random: Random, { carrier: { carrier, service, numberPrefix } }: Region) => ({
  carrier,
  service,
  trackingNumber: `${numberPrefix}${String(random.between(0, 999_999_999)).padStart(9, '0')}`,
})

/** When an order entered its statuses, as the shop itself would have noted. */
export const statusHistoryOf = ({ createdAt, status, updatedAt }: DemoOrder): StatusChange[] => [
  { status: 'processing', at: createdAt.toISOString(), count: 1, placed: true },
  ...(status === 'processing' ? [] : [{ status, at: updatedAt.toISOString(), count: 1 }]),
]

/** Every eighth order was saved together with the one before it, as an import does it. */
function withTies(orders: DemoOrder[]): DemoOrder[] {
  return orders.map((order, index) => {
    const before = orders[index - 1]
    const isTied = index % 8 === 7 && before && before.updatedAt >= order.createdAt
    return isTied ? { ...order, updatedAt: before.updatedAt } : order
  })
}
