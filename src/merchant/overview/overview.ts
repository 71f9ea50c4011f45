import { DateTime } from 'luxon'
import { createOnce } from '../../core/database/cached-value.js'
import type { Products } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { OrderShop } from '../../shop/orders/order-options.js'
import { missingProductFields } from '../../shop/orders/missing-product-fields.js'
import { valueSources } from '../../shop/orders/value-sources.js'
import type { PaymentParts } from '../../shop/payments/parts.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'

/** What the overview is about, as the features below have built it. */
export type Read = WorkerParts & ShippingParts & DeliveryParts & PaymentParts

const comparedDays = 14

/** Loads what reads the overview of the products that are on. Resolves to what makes it. */
export async function loadOverview({ shipping, marketing }: Products) {
  const ofShipping = shipping ? await import('./read-shipping.js') : undefined
  const ofMarketing = marketing ? await import('./read-marketing.js') : undefined

  return (shop: OrderShop, read: Read) => {
    const { database, effects, options } = shop
    return {
      /** The fields that the products' collection lacks, so that no exported line item can have them. */
      missingProductFields: missingProductFields(shop),
      /** Where values are read that are in no field of Storeconnect's own. */
      valueSources: valueSources(shop),
      /** What shows whether ShipStation and Klaviyo work, as far as they are on. */
      async facts(once = createOnce()) {
        read.delivery.answered()
        if (ofShipping) await read.recheckSkipped({ failuresOnly: false })
        const [shippingFacts, marketingFacts] = await Promise.all([
          ofShipping && once(read.shippingFacts),
          ofMarketing?.readMarketingFacts(read, once),
        ])
        return { shipping: shippingFacts, marketing: marketingFacts }
      },
      /** What the overview page shows below the states. A day begins by the shop's clock. */
      async details() {
        const now = DateTime.fromJSDate(effects.now(), { zone: options.timezone })
        const today = now.startOf('day').toJSDate()
        const [hours, newestSkipped, shipped, delivered] = await Promise.all([
          ofMarketing?.readHours(read.sends, effects.now()),
          ofShipping?.readNewestSkipped(database),
          ofShipping?.readShippedToday(database, today),
          ofMarketing &&
            read
              .deliveryStatus()
              .then(({ keySince }) =>
                ofMarketing.readDeliveredToday(read.sends, { since: today, keySince }),
              ),
        ])
        return { hours, newestSkipped, today: { shipped, delivered } }
      },
      /** What was paid and ordered on each of the last days that are over, by the shop's clock. */
      async compared() {
        const today = DateTime.fromJSDate(effects.now(), { zone: options.timezone }).startOf('day')
        const days = Array.from({ length: comparedDays }, (_, index) => {
          const from = today.minus({ days: index + 1 })
          return {
            day: from.toISODate() ?? '',
            from: from.toJSDate(),
            to: from.plus({ days: 1 }).toJSDate(),
          }
        })
        return (await read.payments?.compared(days)) ?? []
      },
    }
  }
}

export type Overview = ReturnType<Awaited<ReturnType<typeof loadOverview>>>
export type OverviewFacts = Awaited<ReturnType<Overview['facts']>>
export type OverviewDetails = Awaited<ReturnType<Overview['details']>>
