import { readPhoneNumber } from '../../core/people/phone-number.js'

/**
 * A line of a CSV file (RFC 4180). A spreadsheet runs a value that begins like a formula, so such a value
 * gets an apostrophe in front. A spreadsheet may also separate values by another sign than the comma, and
 * then ignores our quotes. So what follows such a sign counts as a value too, with quotes in between or
 * not.
 */
export const csvLine = (values: readonly (string | CsvNumber)[]): string =>
  `${values.map(csvValue).join(',')}\r\n`

/** A value that cannot be a formula, although it begins like one. */
interface CsvNumber {
  number: string
}

/**
 * A phone number as E.164. Any other text may hold anything, so a blank counts as a separator in it; a
 * merchant's wording such as "Tea - coffee" stays as it is.
 */
export function csvPhone(text: string): string | CsvNumber {
  const number = readPhoneNumber(text)
  return number === undefined ? text.replace(formulaAfterBlank, "$1'") : { number }
}

const formulaAfterBlank = /(\s)(?="*[=+\-@＝＋－＠])/gu

const beginsFormula = /(^|[,;|\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])/gu

const csvValue = (value: string | CsvNumber): string => {
  if (typeof value !== 'string') return `"${value.number}"`
  const guarded = value.replace(beginsFormula, "$1'").replace(/^(?=[\t\r\n])/u, "'")
  return `"${guarded.replaceAll('"', '""')}"`
}
