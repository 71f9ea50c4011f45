import type { Order, LineItem } from '../../orders/order.js'
import { UnmappedOrder, type OrderReader } from '../../orders/order-reader.js'
import type { DocumentId } from '../../database/document-id.js'
import type { Log } from '../../database/log.js'
import type { SkippedOrder } from './skipped-orders.js'
import { isAmount } from '../../orders/money.js'
import { legalText } from '../xml-text.js'

/**
 * Why an order cannot be exported, a sentence each; empty for an order that passes
 * (`decisions.md`, Shipping). A text that is too long is no problem, because it is cut.
 */
export function orderProblems(order: Order): string[] {
  const { shippingAddress: shipTo, billingAddress: billTo } = order
  const checks: Check[] = [
    [order.customerId === undefined && isBlank(order.email), 'It has no customer and no email.'],
    [isBlank(order.status), 'It has no status.'],
    [isBlank(shipTo.name), 'Its shipping address has no name.'],
    [isBlank(shipTo.line1), 'Its shipping address has no first address line.'],
    [isBlank(shipTo.city), 'Its shipping address has no city.'],
    [!isCountry(shipTo.country), 'Its shipping address has no two-letter country.'],
    [
      billTo !== undefined && !isBlank(billTo.country) && !isCountry(billTo.country),
      'The country of its billing address has not two letters.',
    ],
    amountCheck('Its total', order.total),
    amountCheck('Its tax amount', order.taxAmount),
    amountCheck('Its shipping amount', order.shippingAmount),
    amountCheck('Its discount', order.discountAmount),
    [!isExportable(order.createdAt), 'Its date is not a date.'],
    [!isExportable(order.updatedAt), 'Its date of change is not a date.'],
    ...order.items.flatMap(lineChecks),
  ]
  return checks.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []))
}

type Check = [isWrong: boolean, problem: string]

const lineChecks = (line: LineItem, index: number): Check[] => [
  [!isQuantity(line.quantity), `Line ${index + 1} has no whole quantity.`],
  amountCheck(`The unit price of line ${index + 1}`, line.unitPrice),
  [!isWeight(line.weight), `Line ${index + 1} has a weight that is not a number.`],
]

const amountCheck = (what: string, minorUnits: number): Check => [
  !isAmount(minorUnits),
  `${what} is stored as ${minorUnits}, which is no whole number of the currency's smallest unit. Enter it again.`,
]

const isBlank = (text: string) => legalText(text).trim() === ''
const isCountry = (text: string) => /^[A-Z]{2}$/i.test(text.trim())
// The schema's xs:int.
const isQuantity = (quantity: number) =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= 2_147_483_647
const isWeight = (weight: number) => weight >= 0 && weight < 1e15
/** The schema's date pattern allows years of four digits only. */
const isExportable = (date: Date) =>
  !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1000 && date.getUTCFullYear() <= 9999

export interface ValidationParts {
  reader: OrderReader
  log: Log
  beforeExport: ((order: Order) => Order | false | Promise<Order | false>) | undefined
}

/**
 * Reads the orders of these ids, calls the store's own hook for each, and separates the orders to export
 * from the skipped ones.
 */
export async function validateOrders(ids: readonly DocumentId[], parts: ValidationParts) {
  const { orders, unread } = await readOrders(ids, parts)
  const passed: { id: DocumentId; order: Order }[] = []
  const skipped = [...unread]
  for (const original of orders) {
    const { id, reference, updatedAt: changedAt } = original
    const result = await validateOrder(original, parts)
    if ('order' in result) passed.push({ id, order: result.order })
    else skipped.push({ orderId: id, reference, changedAt, ...result })
  }
  return { orders, passed, skipped }
}

/**
 * Reads orders. When the store's own `orders.map` throws, each order is read on its own, so that only those
 * for which it throws are skipped.
 */
async function readOrders(
  ids: readonly DocumentId[],
  parts: ValidationParts,
): Promise<{ orders: Order[]; unread: SkippedOrder[] }> {
  const { reader, log } = parts
  try {
    const orders = await reader.read(ids)
    return { orders, unread: await unfinishedOrders(reader, { ids, orders }) }
  } catch (error) {
    if (!(error instanceof UnmappedOrder)) throw error
    if (ids.length === 1) {
      const { orderId, reference, updatedAt: changedAt } = error
      const result = unmappedOrder(error, reference, log)
      return { orders: [], unread: [{ orderId, reference, changedAt, ...result }] }
    }
  }
  const each: Awaited<ReturnType<typeof readOrders>>[] = []
  for (const id of ids) each.push(await readOrders([id], parts))
  return {
    orders: each.flatMap(({ orders }) => orders),
    unread: each.flatMap(({ unread }) => unread),
  }
}

async function validateOrder(
  original: Order,
  { beforeExport, log }: ValidationParts,
): Promise<{ order: Order } | Pick<SkippedOrder, 'reasons' | 'isFailure'>> {
  try {
    const order = beforeExport ? await beforeExport(original) : original
    if (order === false) {
      return { reasons: ["The store's beforeExport hook keeps it back."], isFailure: false }
    }
    if (order.items.length === 0) {
      return { reasons: ['It has no items, so there is nothing to ship.'], isFailure: false }
    }
    const reasons = orderProblems(order)
    return reasons.length > 0 ? { reasons, isFailure: true } : { order }
  } catch (error) {
    // The checks fail too when the store's own code returns no order, or one without its parts.
    const { reference } = original
    if (beforeExport === undefined) return unmappedOrder(error, reference, log)
    log.error({ err: error, reference }, 'The beforeExport hook failed')
    return { reasons: ["The store's beforeExport hook failed; the log says why."], isFailure: true }
  }
}

function unmappedOrder(error: unknown, reference: string, log: Log) {
  log.error({ err: error, reference }, 'The orders.map of the store failed')
  return { reasons: ["The store's orders.map failed; the log says why."], isFailure: true }
}

/** The orders of these ids that were not read because they are being saved, as skipped orders. */
async function unfinishedOrders(
  reader: OrderReader,
  { ids, orders }: { ids: readonly DocumentId[]; orders: readonly Order[] },
): Promise<SkippedOrder[]> {
  const read = new Set(orders.map(({ id }) => id))
  const saving = await reader.beingSaved(ids.filter((id) => !read.has(id)))
  return saving.map(({ orderId, reference, since, isCutOff }) => ({
    orderId,
    reference,
    reasons: [isCutOff ? cutOff : inProgress],
    isFailure: isCutOff,
    changedAt: since,
  }))
}

const inProgress = 'It is being saved. The next export has it.'
const cutOff = 'Its last save was cut off. Open it, check its items and save it again.'
