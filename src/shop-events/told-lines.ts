import type { LineItem } from '../commerce/order.js'
import type { ProductUrl } from '../commerce/product-url.js'
import type { Properties } from '../marketing/profile.js'
import type { EventContext } from './event-context.js'
import { hookedProperties, nameOf } from './hooked-properties.js'
import { lineProperties } from './line-properties.js'
import type { Subject } from './order-hooks.js'

/** A line item and what is told of it. */
export interface ToldLine {
  line: LineItem
  properties: Properties
}

export interface ToldLines {
  /** Without those that the store vetoed. */
  lines: readonly ToldLine[]
  /** False when a hook failed at a line: nothing can be said of the whole then. */
  isWhole: boolean
}

/** What is told of each line of an order or a cart. */
export async function toldLines(subject: Subject, context: EventContext): Promise<ToldLines> {
  const lines: ToldLine[] = []
  let isWhole = true
  const linking = { ...context, productUrl: guardedProductUrl(subject, context) }
  for (const line of linesOf(subject)) {
    const hooked = await hookedProperties(
      lineProperties(line, currencyOf(subject), linking),
      {
        hook: 'lineItemProperties',
        ask: (properties) => context.hooks.lineItemProperties?.(properties, { ...subject, line }),
        subject,
      },
      context,
    )
    if (hooked === 'failed') isWhole = false
    else if (hooked !== 'vetoed') lines.push({ line, properties: hooked.properties })
  }
  return { lines, isWhole }
}

/** A store's `productUrl` that throws is logged, and costs the link alone. */
const guardedProductUrl =
  (subject: Subject, { productUrl, log }: EventContext): ProductUrl =>
  (product, site) => {
    try {
      return productUrl(product, site)
    } catch (error) {
      log.error({ err: error, ...nameOf(subject) }, 'The productUrl option failed')
      return ''
    }
  }

const linesOf = (subject: Subject): readonly LineItem[] =>
  subject.kind === 'order' ? subject.order.items : subject.cart.lines

export const currencyOf = (subject: Subject): string =>
  subject.kind === 'order' ? subject.order.currency : subject.cart.currency
