import type {
  CartSnapshot,
  LinkedProduct,
  MarketingEvent,
  MessageHooks,
  OrderHooks,
  ProductUrl,
  Profile,
  Properties,
  StatusEvent,
  Subject,
} from 'payload-storeconnect/types'

// What a store's developer says about the events, each with a type of the package.

const pageOf = ({ slug, sku }: LinkedProduct): string => (slug === '' ? '' : `/tea/${slug}#${sku}`)

export const productUrl: ProductUrl = (product, site) =>
  site?.language === 'de' ? `/de${pageOf(product)}` : pageOf(product)

export const statusEvents: readonly StatusEvent[] = [
  { status: 'shipped', event: 'Fulfilled Order' },
]

export const withoutPhone: NonNullable<MessageHooks['beforeProfile']> = (profile) => {
  const kept: Profile = { ...profile }
  delete kept.phoneNumber
  return kept
}

export const markedAsPast = (event: MarketingEvent): MarketingEvent =>
  event.backfill ? { ...event, properties: { ...event.properties, Past: true } } : event

const linesOfCart = ({ lines }: CartSnapshot): number => lines.length

const lineCount = (about: Subject): number =>
  about.kind === 'cart' ? linesOfCart(about.cart) : about.order.items.length

export const orderProperties: NonNullable<OrderHooks['orderProperties']> = (properties, about) => {
  const changed: Properties = { ...properties, LineCount: lineCount(about) }
  return changed
}
