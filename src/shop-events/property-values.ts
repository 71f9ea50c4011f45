import { decimalAmount, isAmount } from '../commerce/money.js'
import type { Site } from '../commerce/site.js'

/** Characters of a single text of an event: longer than any that is meant. */
const textLength = 1000

/** A shop's text as every platform takes it: well-formed, and cut at a whole character. */
export function plainText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\0', '').trim()
  return whole.length <= textLength
    ? whole
    : whole.slice(0, textLength).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * An amount as the platform adds it up: 1999 USD is 19.99, 500 JPY is 500, 1234 KWD is 1.234.
 * Undefined for what is no amount.
 */
export const majorUnits = (minorUnits: number, currency: string): number | undefined =>
  isAmount(minorUnits) ? Number(decimalAmount(minorUnits, currency)) : undefined

/** The members that have a value: blank texts, empty lists and what is unknown are left out. */
export const presentValues = <Values extends object>(values: Values): Present<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => !isBlank(value)),
  ) as Present<Values>

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

const isBlank = (value: unknown) =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** The longest URL that is sent. */
const urlLength = 2000

/**
 * An absolute http(s) URL; a path is below the site's base URL. Blank for anything else: a mail could
 * not link to it.
 */
export function webUrl(text: string, site: Pick<Site, 'baseUrl'> | undefined): string {
  return isPath(text) && site !== undefined
    ? webAddress(site.baseUrl.replace(/\/+$/, '') + text)
    : webAddress(text)
}

/** The same for a picture: uploads have one path, whichever site shows them. */
export function pictureUrl(text: string, site: Pick<Site, 'baseUrl'> | undefined): string {
  const isOnSite = isPath(text) && site !== undefined && URL.canParse(site.baseUrl)
  return webAddress(isOnSite ? new URL(text, site.baseUrl).href : text)
}

const isPath = (text: string) => /^\/(?![/\\])/.test(text)

function webAddress(whole: string): string {
  if (!URL.canParse(whole)) return ''
  const { protocol, href } = new URL(whole)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && href.length <= urlLength ? href : ''
}
