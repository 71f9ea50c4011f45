import type { Order, LineItem } from '../../shop/orders/order.js'
import { UnreadOrder, type OrderReader } from '../../shop/orders/order-reader.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Log } from '../../core/database/log.js'
import type { SkipReason } from './skip-reason.js'
import type { SkippedOrder } from './skipped-orders.js'
import { isAmount } from '../../shop/orders/money.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingShop } from '../shipping-options.js'
import { endingStatuses } from '../../shop/orders/happening.js'
import { isCountable, netLines } from '../../shop/orders/refunds.js'
import { wasExported } from '../pulls.js'
import { compareNumbers } from '../exported-numbers.js'
import { isBlank } from '../xml-text.js'

/**
 * Why an order cannot be exported (`docs/interface.md` (Order validation)). A long text is no problem, as it is cut.
 */
export const orderProblems = (order: Order): SkipReason[] => [
  ...failed(orderChecks, order),
  ...order.items.flatMap((item, index) => failed(lineChecks, item, { line: index + 1 })),
]

interface Check<Subject> {
  code: SkipReason['code']
  isWrong: (subject: Subject) => boolean
  /** The stored value that the sentence names. */
  value?: (subject: Subject) => number
}

const failed = <Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  place?: { line: number },
): SkipReason[] =>
  checks
    .filter(({ isWrong }) => isWrong(subject))
    .map(({ code, value }) => {
      const params = { ...place, ...(value && { value: value(subject) }) }
      return Object.keys(params).length === 0 ? { code } : { code, params }
    })

const amountCheck = <Subject>(
  code: SkipReason['code'],
  value: (subject: Subject) => number,
): Check<Subject> => ({ code, value, isWrong: (subject) => !isAmount(value(subject)) })

// Made once: a page has thousands of values to check.
const orderChecks: readonly Check<Order>[] = [
  {
    code: 'NO_CUSTOMER',
    isWrong: (order) => order.customerId === undefined && isBlank(order.email),
  },
  { code: 'NO_NUMBER', isWrong: ({ reference }) => isBlank(reference) },
  { code: 'NO_STATUS', isWrong: ({ status }) => isBlank(status) },
  { code: 'NO_SHIPPING_NAME', isWrong: ({ shippingAddress: { name } }) => isBlank(name) },
  { code: 'NO_SHIPPING_ADDRESS_LINE', isWrong: ({ shippingAddress: { line1 } }) => isBlank(line1) },
  { code: 'NO_SHIPPING_CITY', isWrong: ({ shippingAddress: { city } }) => isBlank(city) },
  {
    code: 'NO_SHIPPING_COUNTRY',
    isWrong: ({ shippingAddress }) => !isCountry(shippingAddress.country),
  },
  {
    code: 'BILLING_COUNTRY_INVALID',
    isWrong: ({ billingAddress: billTo }) =>
      billTo !== undefined && !isBlank(billTo.country) && !isCountry(billTo.country),
  },
  amountCheck('TOTAL_INVALID', ({ total }) => total),
  amountCheck('TAX_AMOUNT_INVALID', ({ taxAmount }) => taxAmount),
  amountCheck('SHIPPING_AMOUNT_INVALID', ({ shippingAmount }) => shippingAmount),
  amountCheck('DISCOUNT_INVALID', ({ discountAmount }) => discountAmount),
  { code: 'DATE_INVALID', isWrong: ({ createdAt }) => !isExportable(createdAt) },
  { code: 'DATE_OF_CHANGE_INVALID', isWrong: ({ updatedAt }) => !isExportable(updatedAt) },
]

const lineChecks: readonly Check<LineItem>[] = [
  { code: 'REFUND_INVALID', isWrong: (line) => !isCountable(line) },
  { code: 'QUANTITY_INVALID', isWrong: ({ quantity }) => !isQuantity(quantity) },
  { code: 'NO_ITEM_NAME', isWrong: ({ name, sku }) => isBlank(name) && isBlank(sku) },
  { code: 'NO_UNIT_PRICE', isWrong: ({ unitPrice }) => Number.isNaN(unitPrice) },
  {
    code: 'UNIT_PRICE_INVALID',
    value: ({ unitPrice }) => unitPrice,
    isWrong: ({ unitPrice }) => !Number.isNaN(unitPrice) && !isAmount(unitPrice),
  },
  { code: 'WEIGHT_INVALID', isWrong: ({ weight }) => !isWeight(weight) },
]

const isCountry = (text: string) => /^[A-Z]{2}$/i.test(text.trim())
// The schema's xs:int.
const isQuantity = (quantity: number) =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= 2_147_483_647
const isWeight = (weight: number) => weight >= 0 && weight < 1e15
/** The schema's date pattern allows years of four digits only. */
const isExportable = (date: Date) =>
  !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1000 && date.getUTCFullYear() <= 9999

/** Reads the orders, calls the store's hook for each, and separates those to export from the skipped ones. */
export async function validateOrders(
  ids: readonly DocumentId[],
  shop: ShippingShop,
  reader: OrderReader,
) {
  const { orders, unread } = await readOrders(ids, shop, reader)
  const valid: { id: DocumentId; order: Order; changedAt: Date }[] = []
  const skipped = [...unread]
  for (const original of orders) {
    const { id, reference, updatedAt: changedAt } = original
    const { order, ...result } = await validateExported(original, shop)
    if (order && result.reasons.length === 0) valid.push({ id, order, changedAt })
    else skipped.push({ orderId: id, reference, changedAt, ...result })
  }
  const { taken, unstored } = await compareNumbers(
    shop,
    valid.map(({ id, order: { reference } }) => ({ id, reference })),
  )
  for (const { id: orderId, order, changedAt } of valid.filter(({ id }) => taken.has(id))) {
    const { reference } = order
    skipped.push({
      orderId,
      reference,
      changedAt,
      reasons: [{ code: 'NUMBER_TAKEN' }],
      isFailure: true,
    })
  }
  return { orders, passed: valid.filter(({ id }) => !taken.has(id)), skipped, unstored }
}

/**
 * Reads orders, each on its own when the store's own code throws, so that only those for which it throws are
 * skipped.
 */
async function readOrders(
  ids: readonly DocumentId[],
  shop: Shop,
  reader: OrderReader,
): Promise<{ orders: Order[]; unread: SkippedOrder[] }> {
  const { log } = shop
  try {
    const orders = await reader.read(ids)
    return { orders, unread: await unfinishedOrders(reader, { ids, orders }) }
  } catch (error) {
    if (!(error instanceof UnreadOrder)) throw error
    if (ids.length === 1) {
      const { orderId, reference, updatedAt: changedAt } = error
      const result = unreadOrder(error, { reference, failed: error.failed }, log)
      return { orders: [], unread: [{ orderId, reference, changedAt, ...result }] }
    }
  }
  const each: Awaited<ReturnType<typeof readOrders>>[] = []
  for (const id of ids) each.push(await readOrders([id], shop, reader))
  return {
    orders: each.flatMap(({ orders }) => orders),
    unread: each.flatMap(({ unread }) => unread),
  }
}

/** How often the lines of an order that is being saved are read: after five seconds its save was cut off. */
const mostReads = 10

/** The lines of an order without those that `beforeExport` takes out; undefined when that is not known. */
export async function readItems(
  id: DocumentId,
  shop: ShippingShop,
  reader: OrderReader,
): Promise<readonly LineItem[] | undefined> {
  for (let reads = 0; reads < mostReads; reads++) {
    const { orders, unread } = await readOrders([id], shop, reader)
    const [original] = orders
    if (original === undefined && unread.some(({ isFailure }) => isFailure)) return undefined
    if (original === undefined) continue
    const own = netLines(original.items)
    const { order } = await validateOrder(original, shop)
    const { items = own } = order ?? {}
    const isKnown = (line: LineItem) => Number.isFinite(line.quantity) && isCountable(line)
    return items.every(isKnown) ? items : undefined
  }
  return undefined
}

/** An order as the store's own hook gives it, where it gives one, and why that cannot be exported. */
type CheckedOrder = Pick<SkippedOrder, 'reasons' | 'isFailure'> & { order?: Order }

/**
 * One that ShipStation got before everything was refunded is exported as it was bought when its status has ended, so that
 * ShipStation reads that and cancels it.
 */
async function validateExported(order: Order, shop: ShippingShop): Promise<CheckedOrder> {
  const net = await validateOrder(order, shop)
  const isOver =
    endingStatuses.has(order.status) && net.reasons.some(({ code }) => code === 'ALL_REFUNDED')
  return isOver && (await wasExported(order, shop, order.updatedAt))
    ? validateOrder(order, shop, order.items)
    : net
}

async function validateOrder(
  original: Order,
  { options, log }: ShippingShop,
  whole?: readonly LineItem[],
): Promise<CheckedOrder> {
  const { beforeExport } = options.shipping
  try {
    const net = { ...original, items: whole ? [...whole] : netLines(original.items) }
    const order = beforeExport ? await beforeExport(net) : net
    if (order === false) {
      return { reasons: [{ code: 'HELD_BACK' }], isFailure: false }
    }
    if (order.items.length === 0) {
      const isRefunded = original.items.length > 0 && net.items.length === 0
      return {
        order,
        reasons: [{ code: isRefunded ? 'ALL_REFUNDED' : 'NO_ITEMS' }],
        isFailure: false,
      }
    }
    return { order, reasons: orderProblems(order), isFailure: true }
  } catch (error) {
    // The checks fail too when the store's own code returns no order, or one without its parts.
    const { reference } = original
    if (beforeExport === undefined) return unreadOrder(error, { reference, failed: 'map' }, log)
    log.error({ err: error, reference }, 'The beforeExport hook failed')
    return { reasons: [{ code: 'BEFORE_EXPORT_FAILED' }], isFailure: true }
  }
}

function unreadOrder(
  error: unknown,
  { reference, failed }: Pick<UnreadOrder, 'reference' | 'failed'>,
  log: Log,
): Pick<SkippedOrder, 'reasons' | 'isFailure'> {
  log.error({ err: error, reference }, `The orders.${failed} of the store failed`)
  const code = failed === 'map' ? 'MAP_FAILED' : 'REFUNDS_FAILED'
  return { reasons: [{ code }], isFailure: true }
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
    reasons: [{ code: isCutOff ? 'SAVE_CUT_OFF' : 'BEING_SAVED' }],
    isFailure: isCutOff,
    changedAt: since,
  }))
}
