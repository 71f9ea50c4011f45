import type { CollectionConfig } from 'payload'
import { internalCollection } from '../../core/database/internal-collection.js'

export const couponCodesSlug = 'marketing-coupon-codes'

/**
 * Where a code is. `due`: the store has made it. `sending`: its job is being posted. `job`: Klaviyo works on it.
 * `there`: Klaviyo can give it out, or has. `used`: Klaviyo is to hear that it was used. `told`: it has. `refused`:
 * until the night.
 */
export type CodeState = 'due' | 'sending' | 'job' | 'there' | 'used' | 'told' | 'refused'

/** One row for each code that has not expired. Only SQL writes it (`coupon-codes.ts`). */
export const couponCodesCollection = (): CollectionConfig => ({
  slug: couponCodesSlug,
  ...internalCollection,
  timestamps: false,
  fields: [
    // The code itself.
    { name: 'id', type: 'text', required: true },
    { name: 'state', type: 'text', index: true },
    // Klaviyo's id of the job, or our own until it has answered.
    { name: 'job', type: 'text', index: true },
    { name: 'expiresAt', type: 'date', index: true },
    { name: 'usedAt', type: 'date' },
    // Why Klaviyo refused it, as JSON.
    { name: 'error', type: 'textarea' },
  ],
})
