import { formatAdminURL } from 'payload/shared'
import type { BasePayload } from 'payload'
import { personTab, type PersonQuery } from '../people/person.js'
import { overviewSlug } from '../overview/overview-global.js'

export const actionUrl = (
  payload: Pick<BasePayload, 'config'>,
  headers: Headers,
  path: string,
): string => `${payload.config.serverURL || originOf(headers)}/actions/${path}`

/** The URL that ShipStation calls. */
export const exportUrl = (payload: Pick<BasePayload, 'config'>, headers: Headers): string =>
  actionUrl(payload, headers, 'shippingconnect/orders/process')

function originOf(headers: Headers): string {
  const protocol = headers.get('x-forwarded-proto')?.split(',')[0] ?? 'http'
  return `${protocol}://${headers.get('x-forwarded-host') ?? headers.get('host') ?? ''}`
}

/** The part of Payload's config that URLs depend on. The browser has it too. */
interface Addresses {
  routes: { admin: string; api: string }
  serverURL?: string
}

/** The URL of a page of the admin, for links. Next.js adds its `basePath` to it. */
export const adminUrl = ({ routes }: Pick<Addresses, 'routes'>, path: `/${string}`): string =>
  formatAdminURL({ adminRoute: routes.admin, path })

/** The page of the person whom a document names. No email is in it, because URLs are logged. */
export const personUrl = (config: Pick<Addresses, 'routes'>, { by, value }: PersonQuery): string =>
  adminUrl(config, `/globals/${overviewSlug}?show=${personTab}&${by}=${encodeURIComponent(value)}`)

/** The URL of an endpoint of Payload's API, for the browser. */
export const apiUrl = ({ routes, serverURL }: Addresses, path: `/${string}`): string =>
  formatAdminURL({ apiRoute: routes.api, path, ...(serverURL && { serverURL }) })
