import type { Addressed } from '../../http/public-origin.js'
import { restorePath } from '../../http/restore-link.js'
import { queryOf, type RestoreRequest } from './restore-request.js'

/** What a session's cookie has room for beside the rest of it. */
const returnUrlLimit = 1500

/** What the path of this request has before `/actions/`: there the other actions answer as well. */
export function ownBase({ url }: Addressed): string {
  const { pathname } = new URL(url)
  // Two slashes in front would be another host.
  return pathname.slice(0, pathname.indexOf('/actions/')).replace(/^\/+/, '/').replace(/^\/$/, '')
}

/** The path of this link, on whichever origin the visitor is. */
export const ownLink = (request: Addressed, asked: RestoreRequest): string =>
  `${ownBase(request)}/actions/${restorePath}?${queryOf(asked)}`

/** The same, as short as the session needs it; undefined when even that is too long for a cookie. */
export function returnUrlOf(request: Addressed, asked: RestoreRequest): string | undefined {
  const links = [ownLink(request, asked), ownLink(request, { ...asked, campaign: [] })]
  return links.find(({ length }) => length <= returnUrlLimit)
}
