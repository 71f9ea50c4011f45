import { decimalAmount, isAmount } from '../../shop/orders/money.js'
import { parseUrl } from '../../core/http/public-origin.js'

/** The longest text of an event, in characters: longer than any real one. */
const textLength = 1000

/** Makes a shop's text acceptable to Klaviyo: well-formed, and cut at a whole character. */
export function plainText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\0', '').trim()
  return whole.length <= textLength
    ? whole
    : whole.slice(0, textLength).replace(/[\uD800-\uDBFF]$/, '')
}

/** 1999 USD is 19.99, 500 JPY is 500, 1234 KWD is 1.234. Undefined when the number is not an amount. */
export const majorUnits = (minorUnits: number, currency: string): number | undefined =>
  isAmount(minorUnits) ? Number(decimalAmount(minorUnits, currency)) : undefined

/** Leaves out blank texts, empty lists and undefined values. */
export const presentValues = <Values extends object>(values: Values): Present<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => !isBlank(value)),
  ) as Present<Values>

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

const isBlank = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const urlLength = 2000

/** An absolute http(s) URL; a path is joined to the base URL. Blank for anything else: a mail could not link to it. */
export function webUrl(text: string, { baseUrl }: { baseUrl: string }): string {
  return webAddress(isPath(text) ? baseUrl.replace(/\/+$/, '') + text : text)
}

/** The path of a picture starts at the root of the host, as an upload has one path on all sites. */
export function pictureUrl(text: string, { baseUrl }: { baseUrl: string }): string {
  return webAddress((isPath(text) && parseUrl(text, baseUrl)?.href) || text)
}

const isPath = (text: string) => /^\/(?![/\\])/.test(text)

function webAddress(whole: string): string {
  const { protocol, href = '' } = parseUrl(whole) ?? {}
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && href.length <= urlLength ? href : ''
}
