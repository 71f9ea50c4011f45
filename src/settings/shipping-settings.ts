import type { Credentials } from '../http/basic-credentials.js'
import { resolveText } from './environment-reference.js'

/** The shipping settings as a merchant wrote them. Texts may be `$NAME` or `${NAME}`. */
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

/** The shipping settings ready for use: variables read, the page size a positive whole number. */
export interface ShippingSettings extends Omit<
  StoredShippingSettings,
  'username' | 'password' | 'pageSize'
> {
  credentials: Credentials
  pageSize: number
}

/** Where `interface.md` (Limits) falls back to. */
export const defaultPageSize = 25

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

/** Reads the variables that the settings name and settles the page size. */
export function resolveShippingSettings(
  stored: StoredShippingSettings,
  environment: NodeJS.ProcessEnv,
): ShippingSettings {
  const read = (text: string) => resolveText(text, environment).value
  return {
    ...stored,
    credentials: { username: read(stored.username), password: read(stored.password) },
    pageSize: readPageSize(stored.pageSize),
    storeField: read(stored.storeField).trim(),
    statusHandle: read(stored.statusHandle).trim(),
    matrixField: read(stored.matrixField).trim(),
    entryType: read(stored.entryType).trim(),
    carrierField: read(stored.carrierField).trim(),
    serviceField: read(stored.serviceField).trim(),
    trackingNumberField: read(stored.trackingNumberField).trim(),
  }
}

/** The environment variables that the settings name and the environment lacks. */
export function missingVariables(
  stored: StoredShippingSettings,
  environment: NodeJS.ProcessEnv,
): string[] {
  const missing = Object.values(stored).flatMap((value: unknown) =>
    typeof value === 'string' ? (resolveText(value, environment).missingVariable ?? []) : [],
  )
  return [...new Set(missing)]
}

function readPageSize(stored: StoredShippingSettings['pageSize']): number {
  const size = typeof stored === 'string' && stored.trim() === '' ? NaN : Number(stored ?? NaN)
  return Number.isFinite(size) && size >= 1 ? Math.floor(size) : defaultPageSize
}
