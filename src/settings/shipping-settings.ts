import type { Credentials } from '../http/basic-credentials.js'
import { resolveText } from './environment-reference.js'

/** The shipping settings as a merchant wrote them. Username and password may be `$NAME` or `${NAME}`. */
export interface StoredShippingSettings {
  /** HTTP Basic username that the shipping platform sends. */
  username: string
  /** HTTP Basic password. Blank, like a blank username, refuses everybody. */
  password: string
  /** Name of the orders' dropdown field that the `store` parameter is matched against. */
  storeField: string
  /** Orders a page of the export. Not a number, below 1 or blank: 25. */
  pageSize: number | string | null
  /** On: one order that fails validation fails the request. Off: it is left out. */
  failOnInvalidOrder: boolean
  /** Status that a shipped order moves to. */
  statusHandle: string
  /** Name of the array or blocks field that holds the tracking entry. */
  matrixField: string
  /** For a blocks field: the slug of the block. Ignored for an array. */
  entryType: string
  /** Names of the three text fields inside it. */
  carrierField: string
  serviceField: string
  trackingNumberField: string
  /** On: date texts without an offset are read as UTC, as the platform sends them. */
  readDatesAsUtc: boolean
}

/** The same, as they are read. */
export interface ReadShippingSettings extends StoredShippingSettings {
  /** The password was saved with another PAYLOAD_SECRET. It is blank then. */
  isPasswordUnreadable?: boolean
}

/** The shipping settings ready for use: the page size is a positive whole number. */
export interface ShippingSettings extends Omit<ReadShippingSettings, 'password' | 'pageSize'> {
  /** As the merchant wrote it, a variable not read: what may be shown. */
  username: string
  /** With variables read. */
  credentials: Credentials
  pageSize: number
}

/** Where `interface.md` (Limits) falls back to. */
export const defaultPageSize = 25

const largestPageSize = 1000

/** Whether people may save this page size. Blank stands for 25. */
export function pageSizeIsFit(stored: unknown): boolean {
  const text = String(stored ?? '').trim()
  const size = Number(text)
  return text === '' || (/^\d+$/.test(text) && size >= 1 && size <= largestPageSize)
}

export const defaultShippingSettings: Readonly<StoredShippingSettings> = {
  username: '',
  password: '',
  storeField: '',
  pageSize: defaultPageSize,
  failOnInvalidOrder: false,
  statusHandle: 'shipped',
  matrixField: 'tracking',
  entryType: '',
  carrierField: 'carrier',
  serviceField: 'service',
  trackingNumberField: 'trackingNumber',
  readDatesAsUtc: false,
}

/** Reads the variables that the credentials name and settles the page size. */
export function resolveShippingSettings(
  { password, ...stored }: ReadShippingSettings,
  environment: NodeJS.ProcessEnv,
): ShippingSettings {
  const read = (text: string) => resolveText(text, environment).value
  return {
    ...stored,
    credentials: { username: read(stored.username), password: read(password) },
    pageSize: readPageSize(stored.pageSize),
    storeField: stored.storeField.trim(),
    statusHandle: stored.statusHandle.trim(),
    matrixField: stored.matrixField.trim(),
    entryType: stored.entryType.trim(),
    carrierField: stored.carrierField.trim(),
    serviceField: stored.serviceField.trim(),
    trackingNumberField: stored.trackingNumberField.trim(),
  }
}

/** The environment variables that the credentials name and the environment lacks. */
export function missingVariables(
  { username, password }: Pick<StoredShippingSettings, 'username' | 'password'>,
  environment: NodeJS.ProcessEnv,
): string[] {
  const missing = [username, password].flatMap(
    (text) => resolveText(text, environment).missingVariable ?? [],
  )
  return [...new Set(missing)]
}

function readPageSize(stored: StoredShippingSettings['pageSize']): number {
  const size = typeof stored === 'string' && stored.trim() === '' ? NaN : Number(stored ?? NaN)
  return Number.isFinite(size) && size >= 1 ? Math.floor(size) : defaultPageSize
}
