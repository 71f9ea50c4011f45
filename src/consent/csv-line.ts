/**
 * A line of a CSV file (RFC 4180). A spreadsheet runs a value that begins like a formula, so such a value
 * gets an apostrophe in front.
 */
export const csvLine = (values: readonly string[]): string =>
  `${values.map(csvValue).join(',')}\r\n`

const csvValue = (value: string): string =>
  `"${(/^\s*[=+\-@\t\r\n＝＋－＠]/u.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
