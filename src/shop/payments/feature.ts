import { defineFeature } from '../../core/feature.js'
import { paymentMatters } from './matters.js'

/** Whether every payment has its order. */
export const paymentsFeature = defineFeature({
  matters: paymentMatters,
  parts: async () => (await import('./parts.js')).paymentParts,
})
