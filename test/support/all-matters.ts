import { catalogMatters } from '../../src/marketing/catalog/matters.js'
import { couponMatters } from '../../src/marketing/coupons/matters.js'
import { deliveryMatters } from '../../src/marketing/delivery/matters.js'
import { conditionsOf, namesOf } from '../../src/merchant/alerts/conditions.js'
import { shippingMatters } from '../../src/shipping/matters.js'
import { trackingMatters } from '../../src/shipping/tracking/matters.js'
import { paymentMatters } from '../../src/shop/payments/matters.js'

/** The matters that alerts tell in a shop with both products. */
export const allMatters = {
  ...paymentMatters,
  ...shippingMatters,
  ...trackingMatters,
  ...deliveryMatters,
  ...catalogMatters,
  ...couponMatters,
}

export const conditionNames = namesOf(conditionsOf(allMatters))
