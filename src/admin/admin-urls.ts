import { formatAdminURL } from 'payload/shared'

/** The part of Payload's config, or of its copy in the browser, that addresses depend on. */
interface Addresses {
  routes: { admin: string; api: string }
  serverURL?: string
}

/** A page of the admin, for links and the router of Next.js, which put its `basePath` in front. */
export const adminUrl = ({ routes }: Pick<Addresses, 'routes'>, path: `/${string}`): string =>
  formatAdminURL({ adminRoute: routes.admin, path })

/** An endpoint of Payload's API, as the browser has to ask for it. */
export const apiUrl = ({ routes, serverURL }: Addresses, path: `/${string}`): string =>
  formatAdminURL({ apiRoute: routes.api, path, ...(serverURL && { serverURL }) })
