import { findCall } from './code.js'
import { findInSources, type Project } from './project.js'

const stripe = { name: 'stripeAdapter', from: '@payloadcms/plugin-ecommerce/payments/stripe' }

/** What a developer should know before a shopper meets it; undefined in a store without this payment method. */
export const stripeNote = (project: Project): string | undefined =>
  findInSources(project, stripe.from, (code) => findCall(code, stripe)) &&
  'To know: stripeAdapter() puts the cart into 500 characters, so it cannot be paid when it has more than about 8 lines, 6 with variants; with UUIDs 5 or 3. The overview says how many once carts come close (docs/operations.md).'
