import type { LineItem } from '../commerce/order.js'
import type { Properties } from '../marketing/profile.js'
import type { EventContext } from './event-context.js'
import { majorUnits } from './major-units.js'
import { plainText } from './plain-text.js'
import { presentValues } from './present-values.js'
import { pictureUrl, webUrl } from './web-url.js'

/** Options of a line beyond this are not told. */
const optionsTold = 50

/** What is told of a line item, by the keys that the platform's own guide uses. */
export function lineProperties(
  line: LineItem,
  currency: string,
  { site, productUrl }: Pick<EventContext, 'site' | 'productUrl'>,
): Properties {
  const { productId, slug = '', sku } = line
  return presentValues({
    ProductID: productId,
    SKU: plainText(sku),
    ProductName: plainText(line.name),
    Slug: plainText(slug),
    Quantity: quantityOf(line),
    ItemPrice: majorUnits(line.unitPrice, currency),
    RowTotal: rowTotal(line, currency),
    ProductURL: webUrl(productUrl({ productId, slug, sku }, site), site),
    ImageURL: pictureUrl(line.imageUrl, site),
    Options: line.options
      .slice(0, optionsTold)
      .map(({ name, value }) => presentValues({ Name: plainText(name), Value: plainText(value) })),
  })
}

/** What a line comes to, before what is taken off the whole order. */
export const rowTotal = ({ unitPrice, quantity }: LineItem, currency: string): number | undefined =>
  majorUnits(unitPrice * quantity, currency)

const quantityOf = ({ quantity }: LineItem) => (Number.isFinite(quantity) ? quantity : undefined)

/** How many things the lines are. */
export const totalQuantity = (lines: readonly LineItem[]): number =>
  lines.reduce((sum, line) => sum + (quantityOf(line) ?? 0), 0)
