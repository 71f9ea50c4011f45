import type { LineItem } from '../commerce/order.js'
import type { ProductUrl } from '../commerce/product-url.js'
import type { Properties } from '../marketing/profile.js'
import { nameOf } from './ask-properties-hook.js'
import type { EventContext } from './event-context.js'
import type { Subject } from './order-hooks.js'
import { majorUnits, plainText, presentValues } from './property-values.js'
import { pictureUrl, webUrl } from './web-url.js'

/** Options of a line beyond this are not sent. */
const mostOptions = 50

/** What is sent of a line item, by the keys that the platform's own guide uses. */
export function lineProperties(
  line: LineItem,
  subject: Subject,
  context: Pick<EventContext, 'site' | 'productUrl' | 'log'>,
): Properties {
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
  { productUrl, site, log }: Pick<EventContext, 'site' | 'productUrl' | 'log'>,
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
export const totalQuantity = (lines: readonly LineItem[]): number =>
  lines.reduce((sum, line) => sum + (quantityOf(line) ?? 0), 0)
