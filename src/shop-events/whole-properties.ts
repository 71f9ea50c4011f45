import type { Order } from '../commerce/order.js'
import type { JsonValue, Properties } from '../marketing/profile.js'
import { addressProperties } from './address-properties.js'
import type { EventContext } from './event-context.js'
import type { TakenCart } from './happening.js'
import { hookedProperties } from './hooked-properties.js'
import { totalQuantity } from './line-properties.js'
import { majorUnits } from './major-units.js'
import type { Subject } from './order-hooks.js'
import { plainText } from './plain-text.js'
import { presentValues } from './present-values.js'
import type { ToldLine, ToldLines } from './told-lines.js'

/**
 * Items that one event tells, and their bytes. An order may have more; `ItemsLeftOut` then says how
 * many, while the totals and Ordered Product speak of all of them.
 */
const itemsTold = 500
const itemBytes = 1_000_000

/**
 * What the events of a whole order or cart tell; undefined when the store's hooks veto it, or failed
 * at it or at one of its lines.
 */
export async function wholeProperties(
  subject: Subject,
  { lines, isWhole }: ToldLines,
  context: EventContext,
): Promise<Properties | undefined> {
  if (!isWhole) return undefined
  const hooked = await hookedProperties(
    { ...subjectProperties(subject, context), ...itemProperties(lines) },
    {
      hook: 'orderProperties',
      ask: (properties) => context.hooks.orderProperties?.(properties, subject),
      subject,
    },
    context,
  )
  return typeof hooked === 'string' ? undefined : hooked.properties
}

const subjectProperties = (subject: Subject, context: EventContext): Properties =>
  subject.kind === 'order'
    ? orderProperties(subject.order)
    : cartProperties(subject.cart, context.checkoutUrl)

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

const cartProperties = (cart: TakenCart, checkoutUrl: string | undefined): Properties =>
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

function itemProperties(lines: readonly ToldLine[]): Properties {
  const items = fittingItems(lines)
  const names = items.flatMap(({ ProductName: name }) => (typeof name === 'string' ? name : []))
  return {
    Items: items,
    ItemNames: [...new Set(names)],
    ...(items.length < lines.length && { ItemsLeftOut: lines.length - items.length }),
  }
}

function fittingItems(lines: readonly ToldLine[]): Properties[] {
  let bytes = 0
  const items = lines.slice(0, itemsTold).map(({ properties }) => properties)
  const end = items.findIndex((item: JsonValue) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes > itemBytes
  })
  return end === -1 ? items : items.slice(0, end)
}
