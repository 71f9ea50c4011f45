import { Problem } from '../../errors.js'
import { looseTextParameter, type ParameterTree } from '../../http/parameters.js'
import type { ShippingSettings } from '../../settings/shipping-settings.js'
import type { OrderSelection } from '../../store/order-list.js'
import { readExportQuery, type ExportQuery } from './export-query.js'

export interface SelectionParts {
  /** The site's time zone. */
  timezone: string
  now: () => Date
  /** Whether the orders have a dropdown field of this name. */
  hasStoreField: (field: string) => boolean
}

/**
 * Which orders a request for an export means.
 *
 * @throws {Problem} SETTING_BLANK when the orders lack the field that the settings name.
 */
export function selectOrders(
  tree: ParameterTree,
  settings: Pick<ShippingSettings, 'pageSize' | 'readDatesAsUtc' | 'storeField'>,
  { timezone, now, hasStoreField }: SelectionParts,
): { query: ExportQuery; selection: OrderSelection; timezone: string } {
  const readIn = settings.readDatesAsUtc ? 'UTC' : timezone
  const query = readExportQuery(tree, { timezone: readIn, now: now() })
  const field = settings.storeField
  if (field !== '' && !hasStoreField(field)) {
    throw new Problem('SETTING_BLANK', { log: { setting: 'storeField', field } })
  }
  const { window, store: value } = query
  const dates = ['start_date', 'end_date'].map((name) => looseTextParameter(tree, name) ?? '')
  return {
    query,
    selection: {
      window,
      askedWindow: window && [readIn, ...dates.map((text) => text.trim().toLowerCase())],
      store: field === '' || value === undefined ? undefined : { field, value },
      pageSize: settings.pageSize,
    },
    timezone: readIn,
  }
}
