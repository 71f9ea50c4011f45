import type { BasePayload } from 'payload'
import { failuresPath } from '../../../marketing/admin-paths.js'
import { deliveryMatters } from '../../../marketing/delivery/matters.js'
import { marketingSettingsSlug } from '../../../marketing/settings/marketing-settings.js'
import { skippedOrdersSlug } from '../../../shipping/export/skipped-orders.js'
import { shippingMatters } from '../../../shipping/matters.js'
import { pullsSlug } from '../../../shipping/pull-collection.js'
import { shippingSettingsSlug } from '../../../shipping/shipping-settings.js'
import { adminUrl } from '../admin-urls.js'

export type PlaceUrls = ReturnType<typeof placeUrls>

/** The pages of the admin to which the overview leads. */
export function placeUrls({ config }: Pick<BasePayload, 'config'>) {
  const urlOf = (path: `/${string}`) => adminUrl(config, path)
  return {
    'shipping-settings': urlOf(`/globals/${shippingSettingsSlug}`),
    'marketing-settings': urlOf(`/globals/${marketingSettingsSlug}`),
    'skipped-orders': urlOf(shippingMatters.ordersSkipped.adminPath),
    'all-skipped-orders': urlOf(`/collections/${skippedOrdersSlug}`),
    failures: urlOf(failuresPath),
    pulls: urlOf(`/collections/${pullsSlug}`),
    'failed-sends': urlOf(deliveryMatters.sendsFailed.adminPath),
    'waiting-sends': urlOf(deliveryMatters.sendsWaiting.adminPath),
  } as const
}
