import type { Address } from '../commerce/address.js'
import type { LineItem, Order } from '../commerce/order.js'
import type { ProductUrl } from '../commerce/product-url.js'
import type { Properties } from '../marketing/profile.js'
import { askPropertiesHook, nameOf } from './ask-properties-hook.js'
import type { EventContext } from './event-context.js'
import type { CartSnapshot, Subject } from './order-hooks.js'
import { namesOf } from './person.js'
import { majorUnits, pictureUrl, plainText, presentValues, webUrl } from './property-values.js'

/**
 * Items that one event has, and their bytes. An order may have more; `ItemsLeftOut` then says how
 * many, while the totals and Ordered Product speak of all of them.
 */
const mostItems = 500
const itemBytes = 1_000_000

/** Options of a line beyond this are not sent. */
const mostOptions = 50

/** A line item and what is sent of it. */
export interface DescribedLine {
  line: LineItem
  properties: Properties
}

/**
 * What is sent of an order or a cart, as the store's hooks want it: of the whole, which is undefined when
 * they veto it, or failed at it or at one of its lines; and of each line that they neither veto nor failed
 * at.
 */
export async function subjectProperties(subject: Subject, context: EventContext) {
  const lines: DescribedLine[] = []
  let hasFailed = false
  for (const line of subject.kind === 'order' ? subject.order.items : subject.cart.lines) {
    const properties = await askPropertiesHook(
      lineProperties(line, subject, context),
      (own) => context.hooks.lineItemProperties?.(own, { ...subject, line }),
      { ...context, hook: 'lineItemProperties', subject },
    )
    if (properties === undefined) hasFailed = true
    else if (properties !== false) lines.push({ line, properties })
  }
  if (hasFailed) return { whole: undefined, lines }
  const own =
    subject.kind === 'order'
      ? orderProperties(subject.order)
      : cartProperties(subject.cart, context.checkoutUrl)
  const whole = await askPropertiesHook(
    { ...own, ...itemProperties(lines) },
    (properties) => context.hooks.orderProperties?.(properties, subject),
    { ...context, hook: 'orderProperties', subject },
  )
  return { whole: whole || undefined, lines }
}

/** What is sent of a line item, by the keys that the platform's own guide uses. */
function lineProperties(line: LineItem, subject: Subject, context: EventContext): Properties {
  const { currency } = subject.kind === 'order' ? subject.order : subject.cart
  const { productId, slug = '', sku, unitPrice } = line
  const { site } = context
  return presentValues({
    ProductID: productId,
    SKU: plainText(sku),
    ProductName: plainText(line.name),
    Slug: plainText(slug),
    Quantity: quantityOf(line),
    ItemPrice: majorUnits(unitPrice, currency),
    RowTotal: majorUnits(rowTotal(line), currency),
    ProductURL: webUrl(productLink({ productId, slug, sku }, subject, context), site),
    ImageURL: pictureUrl(line.imageUrl, site),
    Options: line.options
      .slice(0, mostOptions)
      .map(({ name, value }) => presentValues({ Name: plainText(name), Value: plainText(value) })),
  })
}

/** A store's `productUrl` that throws is logged, and costs the link alone. */
function productLink(
  product: Parameters<ProductUrl>[0],
  subject: Subject,
  { productUrl, site, log }: EventContext,
): string {
  try {
    return productUrl(product, site)
  } catch (error) {
    log.error({ err: error, ...nameOf(subject) }, 'The productUrl option failed')
    return ''
  }
}

/** What a line comes to, before what is taken off the whole order. */
export const rowTotal = ({ unitPrice, quantity }: LineItem): number => unitPrice * quantity

const quantityOf = ({ quantity }: LineItem) => (Number.isFinite(quantity) ? quantity : undefined)

/** How many things the lines are. */
const totalQuantity = (lines: readonly LineItem[]): number =>
  lines.reduce((sum, line) => sum + (quantityOf(line) ?? 0), 0)

function orderProperties(order: Order): Properties {
  const { currency, discountAmount, shippingAddress, billingAddress = shippingAddress } = order
  return {
    ...identityOf(order),
    ...presentValues({
      TotalPrice: majorUnits(order.total, currency),
      TotalQuantity: totalQuantity(order.items),
      DiscountValue: discountAmount === 0 ? undefined : majorUnits(discountAmount, currency),
      DiscountCode: plainText(order.discountCode),
      ShippingAmount: majorUnits(order.shippingAmount, currency),
      TaxAmount: majorUnits(order.taxAmount, currency),
      BillingAddress: addressProperties(billingAddress),
      ShippingAddress: addressProperties(shippingAddress),
    }),
  }
}

/** By the keys that the platform's own guide uses. */
const addressProperties = (address: Address): Properties =>
  presentValues({
    FirstName: namesOf(address).firstName,
    LastName: namesOf(address).lastName,
    Company: plainText(address.company),
    Address1: plainText(address.line1),
    Address2: plainText(address.line2),
    City: plainText(address.city),
    RegionCode: plainText(address.state),
    CountryCode: plainText(address.country),
    Zip: plainText(address.postalCode),
    Phone: plainText(address.phone),
  })

const cartProperties = (cart: CartSnapshot, checkoutUrl: string | undefined): Properties =>
  presentValues({
    OrderID: cart.id,
    OrderNumber: cart.number,
    TotalPrice: majorUnits(cart.total, cart.currency),
    TotalQuantity: totalQuantity(cart.lines),
    CheckoutURL: checkoutUrl,
  })

/** Which order it is. */
export const identityOf = ({ id, number, reference }: Order): Properties =>
  presentValues({ OrderID: id, OrderNumber: number, OrderReference: plainText(reference) })

function itemProperties(lines: readonly DescribedLine[]): Properties {
  const items = fittingItems(lines)
  const names = items.flatMap(({ ProductName: name }) => (typeof name === 'string' ? name : []))
  return {
    Items: items,
    ItemNames: [...new Set(names)],
    ...(items.length < lines.length && { ItemsLeftOut: lines.length - items.length }),
  }
}

function fittingItems(lines: readonly DescribedLine[]): Properties[] {
  let bytes = 0
  const items = lines.slice(0, mostItems).map(({ properties }) => properties)
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes > itemBytes
  })
  return end === -1 ? items : items.slice(0, end)
}
