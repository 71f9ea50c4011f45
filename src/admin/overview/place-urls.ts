import type { BasePayload } from 'payload'
import { marketingSettingsSlug } from '../../store/payload/marketing-settings-global.js'
import { omissionsSlug } from '../../store/payload/omission-collection.js'
import { sendsSlug } from '../../delivery/send-table.js'
import { shippingSettingsSlug } from '../../store/payload/shipping-settings-global.js'
import { adminUrl } from '../admin-urls.js'
import type { ProblemPlace } from './platform-state.js'

export type PlaceUrls = Readonly<Record<ProblemPlace, string>>

/** Where a merchant mends what is wrong. */
export function placeUrls({ config }: Pick<BasePayload, 'config'>): PlaceUrls {
  const urlOf = (path: `/${string}`) => adminUrl(config, path)
  const sends = urlOf(`/collections/${sendsSlug}`)
  const inState = (state: string, place = 0) =>
    `where[or][${place}][and][0][state][equals]=${state}`
  return {
    'shipping-settings': urlOf(`/globals/${shippingSettingsSlug}`),
    'marketing-settings': urlOf(`/globals/${marketingSettingsSlug}`),
    'skipped-orders': urlOf(`/collections/${omissionsSlug}`),
    'failed-sends': `${sends}?${inState('failed')}`,
    'waiting-sends': `${sends}?${inState('queued')}&${inState('sending', 1)}`,
  }
}
