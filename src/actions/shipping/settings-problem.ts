import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { ShippingSettingsProblem } from '../../store/overview.js'
import type { ShipmentLog } from '../../store/shipment-log.js'
import { locateEntry } from '../shipment-notice/record-shipment.js'

/** What is wrong with the settings as they are now; undefined when nothing is. */
export function shippingSettingsProblem(
  settings: ShippingSettings,
  shop: {
    shipments: Pick<ShipmentLog, 'hasStatus' | 'locateEntry'>
    hasStoreField: (field: string) => boolean
  },
): ShippingSettingsProblem | undefined {
  const { storeField, statusHandle } = settings
  if (storeField !== '' && !shop.hasStoreField(storeField)) return 'store-field'
  const place = locateEntry(shop.shipments, settings)
  if ('blank' in place) return 'blank-name'
  if (!shop.shipments.hasStatus(statusHandle)) return 'shipped-status'
  return 'missing' in place ? 'tracking-field' : undefined
}
