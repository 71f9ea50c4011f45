import { Problem } from '../../core/errors.js'
import {
  looseTextParameter,
  type ParameterTree,
  textParameter,
} from '../../core/http/parameters.js'
import { fieldsOfOrders } from '../../shop/orders/order-fields.js'
import type { Shop } from '../../core/shop.js'
import { hasStoreField } from '../../shop/orders/order-choices.js'
import type { ShippingSettings } from '../shipping-settings.js'
import type { OrderFilter } from '../../shop/orders/order-reader.js'

export interface OrderSelection extends OrderFilter {
  /**
   * The window as the request wrote it, which identifies the later pages of a pull: `now` means another moment for
   * each page. Undefined: the bounds identify them.
   */
  askedWindow?: readonly string[] | undefined
  /** The dates as a merchant reads them; undefined when none was sent. */
  asked: string | undefined
  pageSize: number
}

const MINUTE_MS = 60_000
const LAST_SECOND_MS = 59_000

/**
 * The bounds, both exclusive: the start of the first minute and second 59 of the last. It needs no time zone, as
 * offsets are whole minutes since 1972.
 */
const minuteWindow = ({ start, end }: { start: Date; end: Date }) => ({
  after: startOfMinute(start),
  before: new Date(startOfMinute(end).getTime() + LAST_SECOND_MS),
})

const startOfMinute = (instant: Date) =>
  new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)

/**
 * Reads which orders an export request asks for. A date that cannot be read counts as absent; a page
 * that is not a number, or is a list, counts as 1 (`docs/interface.md` (Export)).
 *
 * @throws {Problem} PARAMETER_INVALID when another parameter is a list or an object: without it, the
 *   export would have orders that nobody asked for. STORE_FIELD_NOT_FOUND when the orders lack the
 *   field that the settings name.
 */
export async function selectOrders(
  tree: ParameterTree,
  { pageSize, readDatesAsUtc, storeField }: ShippingSettings,
  { payload, options, effects }: Shop,
): Promise<{ page: number; selection: OrderSelection; timezone: string }> {
  const { readDateTime } = await import('../dates/read-date-time.js')
  const timezone = readDatesAsUtc ? 'UTC' : options.timezone
  const dates = ['start_date', 'end_date'].map((name) => textParameter(tree, name) ?? '')
  const present = { timezone, now: effects.now() }
  const [start, end] = dates.map((text) => inRange(readDateTime(text, present)))
  const window = start && end && minuteWindow({ start, end })
  const store = textParameter(tree, 'store')?.trim()
  if (storeField !== '' && !hasStoreField(fieldsOfOrders(payload, options), storeField)) {
    throw new Problem('STORE_FIELD_NOT_FOUND', {
      log: { setting: 'storeField', field: storeField },
    })
  }
  return {
    page: readPage(looseTextParameter(tree, 'page')),
    selection: {
      window,
      asked: askedText(dates, timezone),
      askedWindow: window && [timezone, ...dates.map((text) => text.trim().toLowerCase())],
      store: storeField && store ? { field: storeField, value: store } : undefined,
      pageSize,
    },
    timezone,
  }
}

/** A date text is short; whatever else somebody sends is cut. */
const shownDateLength = 60

function askedText(dates: readonly string[], timezone: string): string | undefined {
  if (dates.every((text) => text.trim() === '')) return undefined
  const shown = dates.map((text) => text.trim().slice(0, shownDateLength) || '?')
  return `${shown.join(' – ')} (${timezone})`
}

/** 1 based. Below 1 or not a number is 1, and a fraction is cut off. */
function readPage(text = ''): number {
  const page = Math.floor(Number(text))
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

const inRange = (date: Date | undefined): Date | undefined =>
  date && new Date(Math.min(Math.max(date.getTime(), earliest), latest))

// The databases hold only the years 1 to 9999, and every order lies within them.
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:00Z')
