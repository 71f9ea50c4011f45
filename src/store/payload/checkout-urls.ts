import type { BasePayload } from 'payload'
import type { RestoreLinks } from '../../http/restore-link.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { CheckoutUrl } from '../checkout-url.js'
import type { Sites } from '../sites.js'
import { idOf, valueAt } from './document-value.js'

/** Restore links of carts' documents: on their own site, else on the one of the store's own URL. */
export function createCheckoutUrls({
  payload,
  options: { fields },
  sites,
  restoreLinks,
}: {
  payload: Pick<BasePayload, 'config'>
  options: Pick<ResolvedOptions, 'fields'>
  sites: Sites
  restoreLinks: RestoreLinks
}): CheckoutUrl {
  const { serverURL } = payload.config

  /** The primary site where no other fits. */
  const standIn = () => sites.at(URL.canParse(serverURL) ? serverURL : 'https://origin.invalid/')

  return async (cart, { coupon } = {}) => {
    const number = valueAt(cart, fields.number) ?? valueAt(cart, 'number')
    if (typeof number !== 'string' || number === '') return undefined
    const site =
      (await sites.find(idOf(valueAt(cart, fields.site) ?? valueAt(cart, 'site')))) ??
      (await standIn())
    return restoreLinks.url(site?.baseUrl ?? serverURL, { number, coupon })
  }
}
