import type { DocumentId } from '../../core/database/document-id.js'
import { Problem } from '../../core/errors.js'
import { xmlReply } from '../../core/http/reply.js'
import type { ExportedOrders } from '../notice/shipment-notice.js'
import { homeUrl } from '../../shop/sites/home-url.js'
import { wasExported } from '../pulls.js'
import type { ShippingHandler } from '../shipping-action.js'
import type { OrderReader } from '../../shop/orders/order-reader.js'
import type { ShippingShop } from '../shipping-options.js'
import { storeNumbers } from '../exported-numbers.js'
import { withFurtherFields, type FurtherFields } from './further-fields.js'
import { createOrderList } from './fixed-order-list.js'
import { ordersXml } from './order-xml.js'
import { englishReason } from './skip-reason.js'
import { selectOrders } from './select-orders.js'
import type { SkippedOrders } from './skipped-orders.js'
import { readItems, validateOrders } from './validate-orders.js'

interface Checks {
  reader: OrderReader
  skippedOrders: SkippedOrders
}

/** `action=export`: a page of completed orders. */
export function createOrderExport(shop: ShippingShop, checks: Checks): ShippingHandler {
  const list = createOrderList(shop)
  const check = createCheck(shop, checks)
  return async ({ parameters, settings, visit }) => {
    const { page, selection } = await selectOrders(parameters.tree, settings, shop)
    const { pages, ids, answered } = await list.page(selection, page)
    const { passed, skipped } = await check(ids, settings)
    const orders = passed.map(({ order }) => order)
    // Whoever asks for the head alone gets no orders.
    if (visit.request.method !== 'HEAD') {
      await answered({
        sent: passed.map(({ id }) => id),
        skipped: skipped.map(({ orderId }) => orderId),
      })
    }
    // For pictures of an order without a site.
    const baseUrl = homeUrl(shop.payload) || new URL(visit.request.url).origin
    const { requestId } = visit
    shop.log.info({ requestId, page, pages, orders: orders.length }, 'Orders exported')
    return xmlReply(ordersXml({ orders, pages, baseUrl, further: settings }))
  }
}

/**
 * The orders of these ids that pass validation. Skipped orders are recorded for the merchant and logged.
 *
 * @throws {Problem} ORDER_NOT_VALID when an order fails and `failOnInvalidOrder` is on.
 */
const createCheck =
  (shop: ShippingShop, { reader, skippedOrders }: Checks) =>
  async (ids: readonly DocumentId[], settings: FurtherFields & { failOnInvalidOrder: boolean }) => {
    const { passed, skipped, unstored } = await validateOrders(
      ids,
      shop,
      withFurtherFields(shop, reader, settings),
    )
    for (const { reference, reasons } of skipped) {
      const sentences = reasons.map(englishReason)
      shop.log.warn({ reference, reasons: sentences }, 'Order left out of the export')
    }
    await skippedOrders.update({ passed, skipped })
    const failure = skipped.find(({ isFailure }) => isFailure)
    if (settings.failOnInvalidOrder && failure) {
      const { reference, reasons } = failure
      throw new Problem('ORDER_NOT_VALID', {
        log: { reference, reasons: reasons.map(englishReason) },
      })
    }
    await storeNumbers(shop, unstored)
    return { passed, skipped }
  }

export const createExportedOrders = (shop: ShippingShop, reader: OrderReader): ExportedOrders => ({
  items: (id) => readItems(id, shop, reader),
  wasExported: (order) => wasExported(order, shop),
})

/** A limit, so that the merchant's page opens fast. The rest is checked when it is opened again. */
const recheckedAtOnce = 25

/** Validates skipped orders again that were changed since, so that corrected ones leave the list. */
export function createRecheck(shop: ShippingShop, { reader, skippedOrders }: Checks) {
  return async (which: { failuresOnly: boolean }): Promise<void> => {
    const ids = await skippedOrders.changedSince(recheckedAtOnce, which)
    if (ids.length === 0) return
    await skippedOrders.update(await validateOrders(ids, shop, reader))
  }
}
