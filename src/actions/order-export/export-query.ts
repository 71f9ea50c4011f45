import { minuteWindow } from '../../dates/minute-window.js'
import { readDateTime } from '../../dates/read-date-time.js'
import { looseTextParameter, textParameter, type ParameterTree } from '../../http/parameters.js'

export interface ExportQuery {
  page: number
  window: { after: Date; before: Date } | undefined
  store: string | undefined
}

/**
 * What the export was asked for. A date that cannot be read counts as absent; a page that is no number,
 * a list too, is the first (`interface.md`, Limits).
 *
 * @throws {Problem} PARAMETER_INVALID for any other list or object: leaving it out would export what
 *   nobody asked for.
 */
export function readExportQuery(
  tree: ParameterTree,
  dates: { timezone: string; now: Date },
): ExportQuery {
  const start = readDate(textParameter(tree, 'start_date'), dates)
  const end = readDate(textParameter(tree, 'end_date'), dates)
  return {
    page: readPage(looseTextParameter(tree, 'page')),
    window: start && end && minuteWindow({ start, end }),
    store: textParameter(tree, 'store')?.trim() || undefined,
  }
}

/** 1 based; below 1 or not a number is 1. A fraction is cut off, as the platform's peers do. */
function readPage(text: string | undefined): number {
  if (text === undefined || text.trim() === '') return 1
  const page = Math.floor(Number(text))
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

function readDate(
  text: string | undefined,
  dates: { timezone: string; now: Date },
): Date | undefined {
  const date = text === undefined ? undefined : readDateTime(text, dates)
  return date && new Date(Math.min(Math.max(date.getTime(), earliest), latest))
}

// No order is older or younger, and the databases know no years of five digits or before the first.
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:00Z')
