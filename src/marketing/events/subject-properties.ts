import type { Address, LineItem, Order } from '../../shop/orders/order.js'
import type { Properties } from '../klaviyo/profile.js'
import type { EventContext } from './event-context.js'
import { identityOf, rowTotal, type DescribedLine } from './event-table.js'
import type { CartSnapshot, Subject, OrderHooks } from './event-options.js'
import { namesOf } from './person.js'
import { majorUnits, plainText, presentValues, pictureUrl, webUrl } from './property-values.js'
import { createLeftOutLog } from '../klaviyo/left-out.js'
import { readProperties } from '../klaviyo/properties.js'
import { refundedOf, refundedValue } from '../../shop/orders/refunds.js'
import type { ProductUrl } from '../../shop/sites/site.js'

type Asking = Pick<EventContext, 'hooks' | 'log'> & { hook: keyof OrderHooks; subject: Subject }

/** `false`: the hook vetoes them. `undefined`: it throws, which is logged. */
async function askPropertiesHook(
  properties: Properties,
  ask: (properties: Properties) => unknown,
  asking: Asking,
): Promise<Properties | false | undefined> {
  const { hooks, log, hook, subject } = asking
  if (hooks[hook] === undefined) return properties
  try {
    // The hook gets a copy, so that its changes do not reach other messages.
    const answer = await ask(structuredClone(properties))
    return answer === false ? false : readAnswer(answer, asking)
  } catch (error) {
    log.error({ err: error, ...nameOf(subject) }, `The ${hook} hook failed`)
    return undefined
  }
}

function readAnswer(answer: unknown, { hook, subject, log }: Asking): Properties {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new TypeError(`${hook} must return properties, or false.`)
  }
  const { leaveOut, write } = createLeftOutLog(log)
  const read = readProperties(answer as Record<string, unknown>, { field: hook, leaveOut })
  write(nameOf(subject), 'Properties left out')
  return read
}

/** Names an order or a cart in the log. A cart's number is left out, as it is the key to the cart. */
export const nameOf = (subject: Subject): Record<string, unknown> =>
  subject.kind === 'order' ? { reference: subject.order.reference } : { cartId: subject.cart.id }

/** `ItemsLeftOut` counts the items beyond these; the totals and Ordered Product still cover all. */
const mostItems = 500
const itemBytes = 1_000_000

const mostOptions = 50

/**
 * `whole` is undefined when a hook vetoes it, or fails for it or for one of its lines; `lines` has those whose hook did
 * neither.
 */
export async function subjectProperties(subject: Subject, context: EventContext) {
  const lines: DescribedLine[] = []
  let hasFailed = false
  for (const line of linesOf(subject)) {
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

export const documentOf = (subject: Subject): Order | CartSnapshot =>
  subject.kind === 'order' ? subject.order : subject.cart

export const linesOf = (subject: Subject): readonly LineItem[] =>
  subject.kind === 'order' ? subject.order.items : subject.cart.lines

const lineProperties = (line: LineItem, subject: Subject, context: EventContext): Properties => {
  const { currency } = documentOf(subject)
  return presentValues({
    ...productProperties(line, { currency, about: nameOf(subject) }, context),
    ...groupsOf(line, subject),
    Quantity: quantityOf(line),
    RowTotal: majorUnits(rowTotal(line), currency),
    ...refundProperties([line], { value: refundedValue(line), currency }),
    Options: line.options
      .slice(0, mostOptions)
      .map(({ name, value }) => presentValues({ Name: plainText(name), Value: plainText(value) })),
  })
}

/** Klaviyo's guide names the categories of an item in one way for orders, and in another for carts. */
function groupsOf({ categories = [], brand = '' }: LineItem, { kind }: Subject): Properties {
  const names = categories.map(plainText)
  return kind === 'order'
    ? { Categories: names, Brand: plainText(brand) }
    : { ProductCategories: names }
}

/** How many of these lines were refunded, and what was given back; nothing where nothing was. */
function refundProperties(
  lines: readonly LineItem[],
  { value, currency }: { value: number; currency: string },
): Properties {
  const refunded = sumOf(lines, refundedOf)
  return presentValues({
    RefundedQuantity: refunded || undefined,
    RefundedValue: value === 0 ? undefined : majorUnits(value, currency),
  })
}

const sumOf = (lines: readonly LineItem[], value: (line: LineItem) => number): number =>
  lines.reduce((sum, line) => sum + value(line), 0)

const quantityOf = ({ quantity }: LineItem) => (Number.isFinite(quantity) ? quantity : undefined)

const totalQuantity = (lines: readonly LineItem[]): number =>
  sumOf(lines, (line) => quantityOf(line) ?? 0)

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
      ...refundProperties(order.items, {
        value: order.refundedAmount || sumOf(order.items, refundedValue),
        currency,
      }),
      BillingAddress: addressProperties(billingAddress),
      ShippingAddress: addressProperties(shippingAddress),
    }),
  }
}

/** The keys are those of Klaviyo's own guide. */
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

function itemProperties(lines: readonly DescribedLine[]): Properties {
  const items = fittingItems(lines)
  const textsAt = (...keys: string[]) => [
    ...new Set(
      items
        .flatMap((item) => keys.flatMap((key) => item[key] ?? []))
        .filter((value) => typeof value === 'string'),
    ),
  ]
  return {
    Items: items,
    ItemNames: textsAt('ProductName'),
    ...presentValues({
      Categories: textsAt('Categories', 'ProductCategories'),
      Brands: textsAt('Brand'),
    }),
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

type DescribedProduct = Pick<
  LineItem,
  'productId' | 'slug' | 'sku' | 'name' | 'imageUrl' | 'unitPrice'
>

type ProductContext = Pick<EventContext, 'site' | 'baseUrl' | 'productUrl' | 'log'>

/** The keys are those of Klaviyo's own guide. `about` names the product in the log. */
export function productProperties(
  { productId, slug = '', sku, ...product }: DescribedProduct,
  { currency, about }: { currency: string; about: Readonly<Record<string, unknown>> },
  context: ProductContext,
): Properties {
  return presentValues({
    ProductID: productId,
    SKU: plainText(sku),
    ProductName: plainText(product.name),
    Slug: plainText(slug),
    ItemPrice: majorUnits(product.unitPrice, currency),
    ProductURL: webUrl(productLink({ productId, slug, sku }, about, context), context),
    ImageURL: pictureUrl(product.imageUrl, context),
  })
}

/** When the store's `productUrl` throws, that is logged and only the link is missing. */
function productLink(
  product: Parameters<ProductUrl>[0],
  about: Readonly<Record<string, unknown>>,
  { productUrl, site, log }: ProductContext,
): string {
  try {
    return productUrl(product, site)
  } catch (error) {
    log.error({ err: error, ...about }, 'The productUrl option failed')
    return ''
  }
}
