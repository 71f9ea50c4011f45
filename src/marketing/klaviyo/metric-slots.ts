/** What Klaviyo counts by: each slot names the metric of the account that it is read from. */
export const metricSlots = [
  'revenue',
  'ordered_product',
  'started_checkout',
  'added_to_cart',
  'viewed_product',
  'refunded_sales',
  'cancelled_sales',
] as const

export type MetricSlot = (typeof metricSlots)[number]
