import type { z } from 'zod'

import { exportedOrders, type ExportedOrder } from './exported-order.ts'
import { ShipStationError, type ShipStationErrorCode } from './shipstation-error.ts'
import { MalformedXml, readXml } from './xml-document.ts'

export interface ExportAnswer {
  /** Any of 2xx. */
  status: number
  xml: string
}

export interface OrderPage {
  /** How many pages the shop says its answer has in all; 0 when no order matches. */
  pages: number
  orders: ExportedOrder[]
}

/** Reads one page of an export, or refuses it as a whole, as ShipStation does. */
export function parseOrderPage(answer: ExportAnswer): OrderPage {
  const document = readDocument(answer)
  const page = exportedOrders.safeParse(ordersOf(document, answer), { reportInput: false })
  if (page.success) return page.data
  throw refused(
    'ORDERS_INVALID',
    `The export breaks the schema: ${describe(page.error, document)}`,
    answer,
  )
}

function readDocument(answer: ExportAnswer): unknown {
  try {
    return readXml(answer.xml)
  } catch (cause) {
    if (!(cause instanceof MalformedXml)) throw cause
    const message = `The export is not well-formed XML: ${cause.message}`
    throw refused('XML_MALFORMED', message, { ...answer, cause })
  }
}

function ordersOf(document: unknown, answer: ExportAnswer): unknown {
  const roots: [string, unknown][] = Object.entries(document ?? {}).filter(
    ([name]) => name !== '#text',
  )
  const [root] = roots
  // The validator lets a second root pass; the parser makes a list of two that share a name.
  if (!root || roots.length > 1 || Array.isArray(root[1])) {
    throw refused(
      'XML_MALFORMED',
      'The export is not well-formed XML: it needs one root element',
      answer,
    )
  }
  const [name, orders] = root
  if (name === 'Orders') return orders
  throw refused('ROOT_WRONG', `The export's root element is ${name}, not Orders`, answer)
}

const refused = (
  code: ShipStationErrorCode,
  message: string,
  { status, xml, cause }: ExportAnswer & { cause?: unknown },
) => new ShipStationError(code, message, { status, answer: xml, cause })

/** `Order 3 (T-1042) > Customer > ShipTo > Country must be exactly 2 characters`. */
function describe({ issues }: z.ZodError, document: unknown): string {
  const [first] = issues
  if (!first) return 'no reason known'
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return `${placeText(first.path, document)} ${first.message}${more}`
}

function placeText(path: readonly PropertyKey[], document: unknown): string {
  const steps: string[] = []
  for (const step of path) {
    if (typeof step === 'number') steps.push(`${steps.pop() ?? ''} ${step + 1}`)
    else steps.push(String(step).replace(/^@_/, ''))
  }
  const number = valueAt(document, ['Orders', 'Order', path[1], 'OrderNumber'])
  if (path[0] === 'Order' && typeof number === 'string') steps[0] += ` (${number})`
  return steps.length > 0 ? steps.join(' > ') : 'Orders'
}

const valueAt = (from: unknown, path: readonly (PropertyKey | undefined)[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && step !== undefined
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    from,
  )
